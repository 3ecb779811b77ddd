/** One token shape: what it is, its prefixes (case counts) and what follows them. */
export interface TokenShape {
  readonly kind: string;
  readonly prefixes: readonly string[];
  /** A pattern; all its repetitions are bounded. A group in it is what is masked, otherwise everything is. */
  readonly body: string;
  /** The shape says little: what it matches must look random too. */
  readonly isLoose: boolean;
  /** What stands before the prefix: `3` three characters, `t` fourteen, `d` a bot's number, `f` an app's number, `m` 32 hex digits. */
  readonly before: string;
}

/**
 * Shapes as their vendors document them, one a line: kind, prefixes, body. `<A36>` is short for 36 letters and
 * digits, `<W20>` for word characters and dashes, `<H32>` for hex digits, `<L34>` for letters. `~` before a body: it is
 * loose; `^` and a letter: something stands before the prefix. Shapes of one prefix are tried in this order.
 */
const TABLE = String.raw`
openai sk-proj- sk-svcacct- sk-admin- ~<W16,250>
anthropic sk-ant- ~<W16,250>
openrouter sk-or- ~<W16,250>
langfuse sk-lf- pk-lf- <H8>(?:-<H4>){3}-<H12>
api-key sk- ~<W16,250>
github ghp_ gho_ ghu_ ghs_ ghr_ ~<A30,255>
github github_pat_ ~\w{22,255}
gitlab glpat- gldt- glrt- glft- glsoat- glffct- glrtr- <W20>
gitlab glcbt- (?:\w{1,5}_)?<W20>
gitlab glimt- <W25>
gitlab glptt- <W40>
gitlab gloas- <W64>
gitlab glagent- <W50,1024>
gitlab GR1348941 <W20>
slack xox [abcdoprs]-(?:\d-)?(?:\d{6,14}-){1,4}[0-9A-Za-z]{6,64}
slack xox ~[a-s]-[\w%-]{10,250}
slack xox e(?:\.xox[bp])?-[A-Za-z0-9-]{40,250}
slack xapp- \d-[A-Z0-9]{4,16}-\d{8,14}(?:-[a-z0-9]{8,80})?
slack-webhook hooks.slack.com/ (?:services|workflows|triggers)/(?:\w{1,20}/){0,3}(\w{8,90})(?![./])
discord-webhook /api/webhooks/ \d{15,22}/(<W20,90>)
aws AKIA ASIA ABIA ACCA A3T [A-Z0-9]?[A-Z2-7]{16}
google AIza <W35>
google ya29. ~<W20,400>
google GOCSPX- <W28>
stripe sk_ rk_ ~(?:live|test|prod)_<A10,200>
stripe whsec_ ~[A-Za-z0-9+/=]{20,120}
huggingface hf_ api_org_ <L34>
npm npm_ <A36>
pypi pypi- ~AgE<W20,1000>
sendgrid SG. [\w=.-]{66}
digitalocean dop_v1_ doo_v1_ dor_v1_ <H64>
doppler dp. [a-z]{2,5}\.[\w.-]{36,64}
linear lin_api_ lin_oauth_ <A40,64>
vault hvs. hvb. hvr. ~<W24,300>
databricks dapi <H32>(?:-\d)?
groq gsk_ <A52>
xai xai- <A80>
replicate r8_ <A37>
perplexity pplx- <A48>
notion ntn_ [0-9]{11}<A35>
notion secret_ ~<A43>
figma figd_ figo_ figu_ ~<W30,80>
shopify shpat_ shpca_ shppa_ shpss_ [0-9A-Za-z]{32,64}
square sq0atp- sq0csp- sq0idp- <W22,50>
square EAAA ~<W56,64>
cloudflare cfat_ cfut_ cfk_ <A40><H8>
sentry sntryu_ sntrya_ <H64>
age AGE-SECRET-KEY-1 [QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}
azure 0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~ ^3[\w~.-]{31,34}
telegram :A ^d<W34>
discord MD MT Mj Mz ND NT Nj Nz OD OT <W22,24>\.<W6>\.<W27,38>
teams-webhook IncomingWebhook/ (<H32>/[0-9a-f-]{36})
bundler BUNDLE_ [A-Z0-9_]{3,80}["']?\x20?[=:]\x20?["']?(<W3,64>:<W3,64>)
fireworks fw_ ~<A20,48>
grafana glsa_ <A32>_<H8>
vendor glpat- glrt- gldt- 1//0 gsk_ xai- r8_ pplx- sntrys_ glc_ HRKU- tskey- nvapi- ATATT3 pscale_ dckr_ PMAK- NRAK- sbp_ sb_secret_ fo1_ fm1_ fm1r_ fm2_ LTAI pul- sha256~ p8e- s-s4t2ud- s-s4t2af- ~[\w=.+/-]{11,4000}[\w=]
vendor AKCp cmVmd ~<A59,69>
vendor ABSK EAAM EAAC ops_ ~[A-Za-z0-9+/]{80,4000}={0,3}
vendor API- ~[A-Z0-9]{26}
twilio SK AC <H32>
vendor sgp_ (?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}
vendor A3- [A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,5}
facebook 0| 1| 2| 3| 4| 5| 6| 7| 8| 9| ^f<W27>
jwt eyJ <W10,8000>\.<W6,8000>(?:\.<W0,8000>)?
`;

const CLASSES: Readonly<Record<string, string>> = { A: '[A-Za-z0-9]', W: '[\\w-]', H: '[0-9a-f]', L: '[A-Za-z]' };

export const VENDOR_SHAPES: readonly TokenShape[] = /* @__PURE__ */ TABLE.trim()
  .split('\n')
  .map((line) => {
    const words = line.split(' ');
    const [, mark, before, body] = /^(?:(~)|\^(.))?(.+)$/.exec(words.at(-1)!)!;
    return {
      kind: words[0]!,
      prefixes: words.slice(1, -1),
      body: body!.replace(/<([AWHL])([\d,]+)>/g, (_, letter: string, count: string) => `${CLASSES[letter]}{${count}}`),
      isLoose: mark !== undefined,
      before: before ?? '',
    };
  });

/**
 * Ends of the keys that Google prints in public samples (the Android and Firebase SDKs), as listed by gitleaks
 * (config/gitleaks.toml, `gcp-api-key`, MIT): known to everybody, and a reader wants to see them.
 */
export const PUBLISHED: ReadonlySet<string> = new Set(
  '6YyIs 8agEM ODrlU nhrh0 xbX4A PwX7c WmLd4 eDQgY p4wtM nP5sQ 1cS7g AvvuU rNXsw 4FmqE n0nvY'.split(' '),
);
