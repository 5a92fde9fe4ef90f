package analysis

import "strings"

// percent is the unit of percentages.
const percent = "percent"

// unit is what a sign or word beside a number says about it.
type unit struct {
	word string // the word that a sign is read as
	unit string // an ISO 4217 code, "percent", or the stem of a unit word
}

// signs holds the percent and currency signs. The signs that several currencies
// share stand for the most traded of them.
var signs = map[rune]unit{
	'%': {"percent", percent},
	'$': {"dollar", "USD"}, '＄': {"dollar", "USD"}, '€': {"euro", "EUR"}, '£': {"pound", "GBP"}, '￡': {"pound", "GBP"},
	'¥': {"yen", "JPY"}, '￥': {"yen", "JPY"}, '₩': {"won", "KRW"}, '￦': {"won", "KRW"}, '₹': {"rupee", "INR"},
	'₽': {"ruble", "RUB"}, '₺': {"lira", "TRY"}, '₪': {"shekel", "ILS"}, '₫': {"dong", "VND"}, '₱': {"peso", "PHP"},
	'₦': {"naira", "NGN"}, '฿': {"baht", "THB"}, '₴': {"hryvnia", "UAH"}, '₣': {"franc", "CHF"},
}

// units holds the folded words that name a unit beside a number.
var units = func() map[string]unit {
	table := map[string]unit{}
	for name, words := range map[string]string{
		"USD": "usd dollar dollars", "EUR": "eur euro euros", "GBP": "gbp pound pounds sterling", "JPY": "jpy yen", "CNY": "cny rmb yuan renminbi",
		"INR": "inr rs rupee rupees", "CHF": "chf franc francs", "KRW": "krw", "AED": "aed dirham dirhams", "SAR": "sar riyal riyals",
		"AUD": "aud", "CAD": "cad", "NZD": "nzd", "SGD": "sgd", "HKD": "hkd", "SEK": "sek", "NOK": "nok", "DKK": "dkk", "PLN": "pln zloty", "CZK": "czk",
		"HUF": "huf", "BRL": "brl", "ZAR": "zar", "MXN": "mxn", "ILS": "ils", "THB": "thb baht", "MYR": "myr", "IDR": "idr", "PHP": "php", "QAR": "qar",
		"KWD": "kwd", "BHD": "bhd", "EGP": "egp", "NGN": "ngn naira", "KES": "kes", "RUB": "rub ruble rubles", "UAH": "uah", "RON": "ron", "VND": "vnd",
		percent:  "percent pct percentage",
		"second": "second seconds sec secs", "minute": "minute minutes min mins", "hour": "hour hours hr hrs h", "day": "day days", "week": "week weeks",
		"month": "month months", "quarter": "quarter quarters", "year": "year years yr yrs", "night": "night nights",
		"mile": "mile miles", "kilometer": "km kilometer kilometers kilometre kilometres", "meter": "meter meters metre metres",
		"milligram": "mg", "kilogram": "kg kgs kilogram kilograms kilo kilos", "gram": "gram grams", "ton": "ton tons tonne tonnes", "liter": "liter liters litre litres",
		"kilobyte": "kb", "megabyte": "mb", "gigabyte": "gb", "terabyte": "tb", "person": "person persons people",
	} {
		for word := range set(words) {
			table[word] = unit{unit: name}
		}
	}
	return table
}()

// continental are the currencies whose users write 1.000,00 for a thousand.
var continental = set("EUR DKK SEK NOK PLN CZK HUF RON TRY BRL IDR VND RUB UAH")

// isCurrency reports whether a unit is a currency.
func isCurrency(unit string) bool { return len(unit) == 3 && unit[0] < 'a' && unit != "" }

// dayWords stand between a number and its unit without changing what is counted:
// "30 business days".
var dayWords = set("business calendar consecutive full working")

// multiples gives the zeros of the letters that multiply the amount they are
// stuck to: "$5m", "10k", "2bn".
var multiples = map[string]int{"k": 3, "m": 6, "mm": 6, "mn": 6, "mio": 6, "b": 9, "bn": 9, "tn": 12}

// multiplies reports whether letters multiply the number before them, and
// whether they may as well be part of a code. Without a currency an m can be
// metres, and a b anything.
func multiplies(letters string, money bool) (ok, code bool) {
	switch letters {
	case "k", "K", "M":
		return true, !money
	case "mn", "mio", "bn", "tn", "Mn", "Mio", "Bn", "Tn":
		return true, false
	}
	return money && multiples[strings.ToLower(letters)] > 0, false
}

// scales gives the zeros of the words that multiply the number before them.
var scales = map[string]int{"thousand": 3, "million": 6, "millions": 6, "mn": 6, "mio": 6, "billion": 9, "billions": 9, "bn": 9, "trillion": 12}
