package analysis

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// shape writes the tokens of a text in short. Each is its term, or in brackets
// its exact form when it has no weight; after it + for Extra, ~ for TextOnly, ?
// for Optional, ! for a negation and @ with the unit.
func shape(tokens []Token) string {
	var words []string
	for _, t := range tokens {
		w := t.Term
		if w == "" {
			w = "(" + t.Exact + ")"
		}
		for _, mark := range []struct {
			set  bool
			sign string
		}{{t.Extra, "+"}, {t.TextOnly, "~"}, {t.Optional, "?"}, {t.Negation, "!"}, {t.Unit != "", "@" + t.Unit}} {
			if mark.set {
				w += mark.sign
			}
		}
		words = append(words, strings.NewReplacer("stem:", "", "word:", "=").Replace(w))
	}
	return strings.Join(words, " ")
}

func TestAnalyze(t *testing.T) {
	a := New()
	for _, c := range []struct{ text, want string }{
		{"Order forms need two signatures.", "order form need two sign"},
		{"Approvals, approved; approving: approver", "approv approv approv approv"},
		{"company's companies' company’s", "compani compani compani"},
		{"don't can’t won't isn't", "(=dont)! (=cant)! (=wont)! (=isnt)!"},
		{"we'll they've it's I'd", "(=we) (=they) (=it) (=i)"},
		{"O'Brien d'Angelo l'homme dell'arte", "obrien d angelo l homm dell art"},
		{"not no only except unless never without nor neither cannot", "(=not)! (=no)! (=only)! except! unless! never! without! (=nor)! neither! (=cannot)!"},
		{"the and of with must shall", "(=the) (=and) (=of) (=with) (=must) (=shall)"},
		{"café CAFÉ cafe", "cafe =café+? cafe =café+? cafe"},
		{"naïve Straße STRASSE Ærø Łódź", "naiv =naïve+? strass strass aero =ærø+? lodz =łódź+?"},
		{"résumé café", "resum =résumé+? cafe =café+?"},
		{"Ελλάδας ΕΛΛΆΔΑΣ", "ελλαδασ =ελλάδασ+? ελλαδασ =ελλάδασ+?"},
		{"ёлка йод", "елка =ёлка+? йод"},
		{"ﬁnal ﬂoor", "final floor"},
		{"ＡＢＣ full", "abc full"},
		{"re\u00adport zero\u200bwidth", "report zerowidth"},
		{"invoice(s) employee(s) process(es)", "invoic employe process"},
		{"organisation organization authorised authorized", "organize organize authorize authorize"},
		{"programme labour catalogue analyse", "program labor catalog analyz"},
		{"policy police", "polici polic"},
		{"“quoted” ‘single’ —dash– …", "quot singl dash"},
		{"word.Next end", "word next wordnext+? end"},
		{"a\u00a0b", "(=a) b"},
		{"emoji 😀 ok", "emoji ok"},
		{"Ⅳ ½ x²", "x"},
		{"مُحَمَّد", "محمد =مُحَمَّد+?"},
		{"हिन्दी", "हिन्दी"},
		{"IT policy for US staff", "it polici (=for) us staff"},
		{"WHO SIGNS IT", "(=who) sign (=it)"},
		{"Who approves it for us?", "(=who) approv (=it) (=for) (=us)"},
		{"US", "us"},
		{"it", "(=it)"},
		{"NOT allowed and ONLY once", "(=not)! allow (=and) (=only)! (=once)"},
		{"multi-site", "multi site multisit+?"},
		{"multi‑site multi–site", "multi site multisit+? multi site multisit+?"},
		{"e-mail email", "e mail email+? email"},
		{"state-of-the-art", "state (=of) (=the) art"},
		{"non-compliance", "non compli noncompli+~?"},
		{"sign-off", "sign (=off) signoff+~?"},
		{"up-to-date", "(=up) (=to) date uptod+~?"},
		{"well-being", "well (=being) wellb+~?"},
		{"cost-benefit", "cost benefit costbenefit+~?"},
		{"T-shirt", "t shirt tshirt+~?"},
		{"-leading trailing- --double", "lead trail doubl"},
		{"a-b-c", "(=a) b c abc+~?"},
		{"PO-1234", "po num:1234 code:po1234+"},
		{"po-1234", "po num:1234 code:po1234+"},
		{"PO_1234", "po num:1234 code:po1234+"},
		{"PO1234", "po num:1234 code:po1234+"},
		{"PO 1234", "po num:1234 code:po1234+?"},
		{"po 1234", "po num:1234 code:po1234+?"},
		{"PO #1234", "po num:1234 code:po1234+?"},
		{"PO No. 1234", "po (=no) num:1234 code:po1234+?"},
		{"po/1234", "po num:1234"},
		{"W-2", "(=w) (num:2) code:w2"},
		{"W 2", "w num:2 code:w2+?"},
		{"W2", "(=w) (num:2) code:w2"},
		{"w2", "(=w) (num:2) code:w2"},
		{"V-2 W-4", "(=v) (num:2) code:v2 (=w) (num:4) code:w4"},
		{"ISO 27001", "iso num:27001 code:iso27001+?"},
		{"ISO-27001", "iso num:27001 code:iso27001+"},
		{"ISO27001", "iso num:27001 code:iso27001+"},
		{"iso 27001", "iso num:27001 code:iso27001+?"},
		{"ISO/IEC 27001:2022", "iso iec num:27001 num:2022 code:27001:2022+ code:iec27001+? code:iso27001+?"},
		{"ISO-27001-2022", "iso num:27001 num:2022 code:iso27001+~ code:iso27001-2022+"},
		{"max_daily_amount", "max daili amount maxdailyamount+?"},
		{"max daily amount", "max daili amount"},
		{"maxDailyAmount", "max daili amount maxdailyamount+?"},
		{"MaxDailyAmount", "max daili amount maxdailyamount+?"},
		{"MAX_DAILY_AMOUNT", "max daili amount maxdailyamount+?"},
		{"isActive getHTTPResponse", "(=is) activ isact+? get http respond gethttprespons+?"},
		{"__init__ snake__case", "init snake case snakecas+?"},
		{"GitHub PowerPoint iPhone", "github powerpoint iphon"},
		{"siRNA mRNA PhDs", "sirna mrna phds"},
		{"2.4.10", "code:2.4.10 num:2.4+~"},
		{"v2.4.10", "code:2.4.10 num:2.4+~"},
		{"V2.4 v2", "num:2.4 (=v) (num:2) code:v2"},
		{"release 2.4.10.1", "releas code:2.4.10.1 num:2.4+~ code:2.4.10+~"},
		{"10.3(a)", "num:10.3 (=a) code:10.3a+"},
		{"Rule 10.3(a)(ii)", "rule num:10.3 (=a) ii code:10.3a+~ code:10.3aii+ code:rule10.3aii+? code:rule10.3+~?"},
		{"401(k)", "num:401 (=k) code:401k+"},
		{"§4.2 § 4.2.1", "num:4.2 code:4.2.1 num:4.2+~"},
		{"U.S. U.S.A. US", "us usa (=us)"},
		{"e.g. i.e. etc. a.m.", "(=eg) (=ie) (=etc) am"},
		{"Ph.D. Node.js", "ph d phd+? node js nodej+?"},
		{"AT&T", "(=at) (=t) code:at&t"},
		{"R&D R & D", "(=r) (=d) code:r&d r d code:r&d+?"},
		{"C++ C# F#", "code:c++ code:c# code:f#"},
		{"C + C, A+", "c c (=a)"},
		{"`.NET` .env", "net code:.net+ env code:.env+"},
		{"24/7", "num:24 num:7 code:24/7+"},
		{"TCP/IP and/or", "tcp ip (=and) (=or)"},
		{"HR/POL/001 2024/17", "hr pol code:001 code:pol001+~ code:hrpol001+ num:2024 num:17 code:2024/17+"},
		{"5G 4K 2FA 3D", "(num:5) (=g) code:5g num:4000 code:4k+ (num:2) fa code:2fa+ (num:3) (=d) code:3d"},
		{"COVID-19", "covid num:19 code:covid19+"},
		{"p53 IL-6 H3K4me3", "(=p) num:53 code:p53+ il (num:6) code:il6+ (=h) (num:3) (=k) (num:4) (=me) (num:3) code:h3k4me3"},
		{"TGF-β1", "tgf (=β) (num:1) code:β1+~ code:tgfβ1+"},
		{"00042 021000021 007", "code:00042 code:021000021 code:007"},
		{"W-02 W-2", "(=w) (num:2) code:w02 (=w) (num:2) code:w2"},
		{"john.doe@acme.com", "john doe acm com johndoeacmecom+?"},
		{"https://acme.com/policies/travel-2024", "https acm com acmecom+? polici travel num:2024 code:travel2024+"},
		{"2026-12-01 31.12.2026 12/31/2026", "num:2026 num:12 num:1 code:2026-12-01+ code:31.12.2026 num:31.12+~ num:12 num:31 num:2026 code:12/31/2026+"},
		{"10:30 27001:2022", "num:10 num:30 code:10:30+ num:27001 num:2022 code:27001:2022+"},
		{"10-20 5–10", "num:10 num:20 code:10-20+ num:5 num:10 code:5-10+"},
		{"3-way 2-factor", "num:3 way num:2 factor"},
		{"FORM 1040 form 1040", "form num:1040 code:form1040+? form num:1040 code:form1040+?"},
		{"COVID 19", "covid num:19 code:covid19+?"},
		{"1000 1,000 1000.00", "num:1000 num:1000 num:1000"},
		{"$1,000 $ 1000 US$1000", "dollar num:1000@USD dollar num:1000@USD us dollar num:1000@USD"},
		{"1\u2009000 1\u00a0000 1 000 12 500 000", "num:1000 num:1000 num:1000 num:12500000"},
		{"1'000 1’000 1_000", "num:1000 num:1000 num:1000"},
		{"1.000,00 1.000.000", "num:1000 num:1000000"},
		{"€1.000 1.000 € 1.000", "euro num:1000@EUR num:1000@EUR euro num:1"},
		{"10,000 100,000 1,00,000", "num:10000 num:100000 num:100000"},
		{"5,000-10,000", "num:5000 num:10000 code:5000-10000+"},
		{"$5,000–$10,000", "dollar num:5000@USD dollar num:10000@USD"},
		{"USD 1,000 and EUR 2.5", "dollar num:1000@USD (=and) euro num:2.5@EUR"},
		{"USD500 1000usd Rs. 500", "dollar num:500@USD num:1000@USD dollar rs num:500@INR"},
		{"5.000 EUR, EUR 5,50, 5,50 EUR, $5.000", "num:5000@EUR euro euro num:5.50@EUR num:5.50@EUR euro dollar num:5@USD"},
		{"1.5M 1.5m 2bn $2b", "num:1500000 code:1.5m+ num:1.5 (=m) code:1.5m+ num:2000000000 dollar num:2000000000@USD"},
		{"500 EUR 30 days", "num:500@EUR euro num:30@day day"},
		{"NIST SP 800-53", "nist sp num:800 num:53 code:800-53+ code:sp800-53+? code:sp800+~?"},
		{"ISO27001:2022", "iso num:27001 num:2022 code:iso27001+ code:iso27001:2022+"},
		{"1,2 3,45", "num:1 num:2 num:3 num:45"},
		{"1k 10K", "num:1000 code:1k+ num:10000 code:10k+"},
		{"$5m €2bn $1.5 million", "dollar num:5000000@USD euro num:2000000000@EUR dollar num:1500000@USD million"},
		{"5 million dollars", "num:5000000@USD million dollar"},
		{"2 thousand", "num:2000 thousand"},
		{"0.5 .5 0.50 5.0", "num:0.5 num:0.5 num:0.50 num:5"},
		{"4.2 4.20", "num:4.2 num:4.20"},
		{"4.50% 50 % 5 percent 5 per cent", "num:4.5@percent percent num:50@percent percent num:5@percent percent num:5@percent per cent"},
		{"USD 500, 500 USD, 500 dollars", "dollar num:500@USD num:500@USD dollar num:500@USD dollar"},
		{"EUR 20 £30 ¥40 ₹50", "euro num:20@EUR pound num:30@GBP yen num:40@JPY rupe num:50@INR"},
		{"30 days 30-day 30 business days", "num:30@day day num:30@day day num:30@day business day"},
		{"5kg 5 kg 10 km", "num:5@kilogram kg num:5@kilogram kg num:10@kilometer km"},
		{"1st 22nd 30th", "1st 22nd 30th"},
		{"1990s", "num:1990"},
		{"١٠٠٠ １２３", "num:1000 num:123"},
		{"-5 −5", "num:5 num:5"},
		{"room 12 300 people", "room num:12 num:300@person person"},
		{"in 2012 300 people", "(=in) num:2012 num:300@person person"},
		{"05 005", "num:5 code:005"},
		{"12,50 € 12,5%", "num:12.50@EUR euro num:12.5@percent percent"},
		{"No. 5 and no refund", "(=no) num:5 (=and) (=no)! refund"},
		{"1.2.3 1.2", "code:1.2.3 num:1.2+~ num:1.2"},
		{"3.14159", "num:3.14159"},
		{"a%20b 22%3A", "(=a) num:20 (=b) code:20b+ num:22 (num:3) (=a) code:3a"},
		{"100%", "num:100@percent percent"},
		{"出差报销", "gram:出+~ gram:出差 gram:差+~ gram:差报 gram:报+~ gram:报销 gram:销+~"},
		{"税", "gram:税"},
		{"重跑gen-itgc后检查", "gram:重+~ gram:重跑 gram:跑+~ gen itgc genitgc+~? gram:后+~ gram:后检 gram:检+~ gram:检查 gram:查+~"},
		{"サンドボックスの規則", "gram:サ+~ gram:サン gram:ン+~ gram:ンド gram:ド+~ gram:ドボ gram:ボ+~ gram:ボッ gram:ッ+~ gram:ック gram:ク+~ gram:クス gram:ス+~ gram:スの gram:の+~ gram:の規 gram:規+~ gram:規則 gram:則+~"},
		{"ｶﾞｲﾄﾞ ガイド", "gram:ガ+~ gram:ガイ gram:イ+~ gram:イド gram:ド+~ gram:ガ+~ gram:ガイ gram:イ+~ gram:イド gram:ド+~"},
		{"출장 경비", "gram:출+~ gram:출장 gram:장+~ gram:경+~ gram:경비 gram:비+~"},
		{"한", "gram:한"},
		{"ที่พัก", "gram:ที่+~ gram:ที่พั gram:พั+~ gram:พัก gram:ก+~"},
		{"报销5,000元", "gram:报+~ gram:报销 gram:销+~ num:5000 gram:元"},
		{"中 文", "gram:中 gram:文"},
		{"Mix报销ed", "mix gram:报+~ gram:报销 gram:销+~ ed"},
	} {
		if got := shape(a.Analyze(c.text)); got != c.want {
			t.Errorf("Analyze(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestAnalyzeRanges(t *testing.T) {
	a := New()
	for _, c := range []struct{ text, want string }{
		{"Order form PO-1234.", "0:Order 1:form 2:PO 3:1234 2+2:PO-1234"},
		{"company's card", "0:company 1:card"},
		{"pay $1,000 now", "0:pay 1:$ 2:$1,000 3:now"},
		{"4.5 % of", "0:4.5 1:% 2:of"},
		{"U.S. law", "0:U.S. 1:law"},
		{"Rule 10.3(a)(ii), then", "0:Rule 1:10.3 2:a 3:ii 1+2:10.3(a) 1+3:10.3(a)(ii) 0+4:Rule 10.3(a)(ii) 0+2:Rule 10.3 4:then"},
		{"ISO/IEC 27001", "0:ISO 1:IEC 2:27001 1+2:IEC 27001 0+3:ISO/IEC 27001"},
		{"use .NET", "0:use 1:NET 1:.NET"},
		{"re\u00adport it", "0:re\u00adport 1:it"},
		{"报销后", "0:报 0:报销 1:销 1:销后 1:后"},
		{"e-mail", "0:e 1:mail 0+2:e-mail"},
		{"cafe\u0301 x", "0:cafe\u0301 0:cafe\u0301 1:x"},
		{"10k run", "0:10k 0:10k 1:run"},
	} {
		var got []string
		for _, token := range a.Analyze(c.text) {
			at := strconv.Itoa(token.Position)
			if token.Width > 1 {
				at += "+" + strconv.Itoa(token.Width)
			}
			got = append(got, at+":"+c.text[token.Start:token.End])
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("Analyze(%q)\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// checkTokens reports what is wrong with the tokens of a text.
func checkTokens(t *testing.T, text string, tokens []Token) {
	t.Helper()
	position := -1
	for i, token := range tokens {
		if token.Start < 0 || token.End > len(text) || token.Start >= token.End {
			t.Fatalf("Analyze(%q): token %d has the range %d:%d", text, i, token.Start, token.End)
		}
		if !utf8.RuneStart(text[token.Start]) || token.End < len(text) && !utf8.RuneStart(text[token.End]) && utf8.ValidString(text) {
			t.Fatalf("Analyze(%q): token %d cuts a character", text, i)
		}
		if token.Atom() {
			if token.Position != position+1 && !(token.Position == position && token.Kind == Gram) {
				t.Fatalf("Analyze(%q): atom %d has position %d after %d", text, i, token.Position, position)
			}
			position = token.Position
		} else if token.Position < 0 || token.Kind != Gram && token.Position+token.Width > position+1 {
			t.Fatalf("Analyze(%q): token %d lies over positions %d+%d, beyond %d", text, i, token.Position, token.Width, position)
		}
		if token.Width < 1 || token.Kind < Word || token.Kind > Gram || token.Exact == "" {
			t.Fatalf("Analyze(%q): token %d is %+v", text, i, token)
		}
		if token.Stop && token.Term != "" || token.TextOnly && !token.Extra || token.Optional && !token.Extra {
			t.Fatalf("Analyze(%q): token %d is %+v", text, i, token)
		}
		for _, name := range []string{token.Term, token.Exact} {
			if len(name) > len(numberSpace)+maxTerm+1 || name != "" && !strings.Contains(name, ":") {
				t.Fatalf("Analyze(%q): token %d has the term %q", text, i, name)
			}
		}
	}
}

func TestAnalyzeIsPure(t *testing.T) {
	// A warm cache, a cold one and one that is overfull give the same tokens,
	// also to many callers at once.
	var texts []string
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"PO-1234", "approve", "approval", "the", " ", ", ", "-", "$", "1,000", "café", "报销", "U.S.", "(a)", "IT", "No. ", "5", "%", "million", "\n", "x", "ISO ", "27001", "don't", "&", "R"}
	for range 400 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
			if random.IntN(2) == 0 {
				b.WriteByte(' ')
			}
		}
		texts = append(texts, b.String())
	}
	warm := New()
	want := make([][]Token, len(texts))
	for i, text := range texts {
		want[i] = New().Analyze(text)
		checkTokens(t, text, want[i])
	}
	for i := range 2 * cacheSlots {
		warm.Analyze("w" + strconv.Itoa(i) + "x")
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var tokens []Token
			for i, text := range texts {
				tokens = warm.Append(tokens[:0], text)
				if diff := cmp.Diff(want[i], tokens, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("Analyze(%q) differs between analyzers:\n%s", text, diff)
				}
			}
		})
	}
	group.Wait()
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	a := New()
	tokens := a.Append(nil, "form No")
	tokens = a.Append(tokens, "1234 days")
	if got, want := shape(tokens), "form (=no)! num:1234@day day"; got != want {
		t.Errorf("Append = %s, want %s", got, want)
	}
	if tokens[2].Position != 0 || tokens[2].Start != 0 {
		t.Errorf("Append: the second text begins at position %d, byte %d, want 0, 0", tokens[2].Position, tokens[2].Start)
	}
}

func TestAnalyzeTakesLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	const size = 1 << 17 // quadratic work would take minutes
	a := New()
	for _, unit := range []string{"a", "1", "-", "a-", "a.", "1,", "1.", "1,000", "(", "1(", "1(a)", "$", "'", "a'", "é", "报", "\u0301", "a_", "aB", "aBc", "&", "a&", "\"", "\"a ", " -a", " -\"a\"", ". ", "A. ", "a ", "ISO 1 ", "A & ", "\n", "#\n", "- \n", "\x80", "\u00ad", "1 000 ", "%", "1% ", "/", "A/", "@", "No. 5 "} {
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		tokens := a.Analyze(text)
		a.ParseQuery(text)
		Sentences(text)
		Snippet(text, []Span{{len(text) / 2 / len(unit) * len(unit), len(text)/2/len(unit)*len(unit) + len(unit)}}, SnippetLength)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("128 kB of %q took %v (%d tokens)", unit, took, len(tokens))
		}
	}
}

func TestScanFastPath(t *testing.T) {
	// The quick look for a plain word ends where the careful one ends.
	random := rand.New(rand.NewPCG(3, 4))
	alphabet := []rune("aZ5 .,-_'/&:@(+#%$)\n\"é报\u00ad")
	for range 20000 {
		runes := []rune{'w'}
		for range random.IntN(8) {
			runes = append(runes, alphabet[random.IntN(len(alphabet))])
		}
		text := string(runes)
		if got, want := scanChunk(text, 0), scanJoined(text, 0); got != want {
			t.Fatalf("scanChunk(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestTermsAreBounded(t *testing.T) {
	long := strings.Repeat("long", 100)
	a := New()
	one, two := a.Analyze(long + "a")[0], a.Analyze(long + "b")[0]
	if len(one.Term) > len(stemSpace)+maxTerm || one.Term == two.Term {
		t.Errorf("terms of two long words are %q and %q, want two of at most %d bytes", one.Term, two.Term, maxTerm)
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, text := range []string{"", "PO-1234 costs $1,000.50 (10.3(a))", "重跑gen-itgc后检查", "R & D, U.S., No. 5", "\xff\x80a\u0301", "1.000,00 € 5 %"} {
		f.Add(text)
	}
	a := New()
	f.Fuzz(func(t *testing.T, text string) {
		tokens := a.Analyze(text)
		checkTokens(t, text, tokens)
		if diff := cmp.Diff(New().Analyze(text), tokens); diff != "" {
			t.Fatalf("Analyze(%q) depends on what was analysed before:\n%s", text, diff)
		}
	})
}
