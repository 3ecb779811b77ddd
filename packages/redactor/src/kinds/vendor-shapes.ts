/** The format of one kind of token: its case-sensitive prefixes, and the pattern after them. */
export interface TokenShape {
  /** Kind of its findings. If empty, the kind is made from the prefix. */
  readonly name: string;
  readonly prefixes: readonly string[];
  /**
   * Pattern. Only its first repetition may be unbounded (`{10,}`): it is read once per run of characters. If it has a group,
   * only the group is masked, otherwise the whole token.
   */
  readonly body: string;
  /** True if the pattern is weak evidence, so that a match must also look random. */
  readonly isLoose: boolean;
  /** What precedes the prefix: `3` three characters, `d` a bot number, `f` an app number, `h` 32 hex digits; empty for nothing. */
  readonly before: string;
}

/**
 * Token shapes as documented by their vendors. Each line has an optional name with a colon, the prefixes, and the body.
 * `<A36>` is short for 36 letters and digits, `<W20>` for word characters and dashes, `<H32>` for hex digits, `<L34>`
 * for letters. `~` before a body makes the shape loose; `^` and a character set `before`. Shapes with the same prefix are
 * tried in this order, those of exact length first.
 */
const table = String.raw`
sk-lf- pk-lf- <H8>(?:-<H4>){3}-<H12>
sk-proj- sk-svcacct- sk-admin- sk-ant- sk-or- sk- ~<W16,>
glpat- gldt- glrt- glft- glsoat- glffct- glrtr- GR1348941 <W20>
glcbt- (?:\w{1,5}_)?<W20>
glimt- <W25>
glptt- <W40>
gloas- <W64>
glagent- <W50,>
xox [abcdoprs]-(?:\d-)?(?:\d{6,14}-){1,4}[A-Za-z0-9]{6,64}
xox ~[a-s]-[\w%-]{10,250}
xox e(?:\.xox[bp])?-[A-Za-z0-9-]{40,250}
xapp- \d-[A-Z0-9]{4,16}-\d{8,14}(?:-\w{8,80})?
webhook: hooks.slack.com/ (?:services|workflows|triggers)/(?:\w{1,20}/){0,3}(\w{8,90})(?![./])
webhook: /api/webhooks/ \d{15,22}/(<W20,90>)
AKIA ASIA ABIA ACCA A3T [A-Z0-9]?[A-Z2-7]{16}
AIza <W35>
hf_ api_org_ <L34>
npm_ <A36>
SG. [\w=.-]{66}
dp. [a-z]{2,5}\.[\w.-]{36,64}
dapi <H32>(?:-\d)?
gsk_ <A52>
ntn_ \d{11}<A35>
cfat_ cfut_ cfk_ <A40><H8>
AGE-SECRET-KEY-1 [QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}
azure: 0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~ ^3[\w~.-]{31,34}
telegram: :A ^d<W34>
discord: MD MT Mj Mz ND NT Nj Nz OD OT <W22,24>\.<W6>\.<W27,38>
BUNDLE_ [A-Z0-9_]{3,80}["']?\x20?[=:]\x20?["']?(<W3,64>:<W3,64>)
glsa_ <A32>_<H8>
ABSK EAAM EAAC ~[\w+/]{80,}
twilio: SK AC <H32>
sgp_ (?:\w{5,16}_)?[0-9a-fA-F]{40}
1password: A3- [A-Z0-9-]{36,37}
mailchimp: -us ^h\d{1,2}
mailgun: key- pubkey- <H32>
facebook: 0| 1| 2| 3| 4| 5| 6| 7| 8| 9| ^f<W27>
ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- glrt- gldt- ya29. GOCSPX- 1//0 sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ whsec_ pypi- dop_v1_ doo_v1_ dor_v1_ lin_api_ lin_oauth_ hvs. hvb. hvr. gsk_ xai- r8_ pplx- figd_ shpat_ shpca_ shppa_ shpss_ sq0atp- sq0csp- sq0idp- sntrys_ sntryu_ glc_ HRKU- tskey- nvapi- ATATT3 pscale_ dckr_ CCIPAT_ CCIPRJ_ bkua_ KGAT_ ATCTT3 ATSTT3 napi_ rnd_ tr_prod_ tr_dev_ signkey-prod- secret-live- sess- crsr_ essu_ mdb_sa_sk_ wandb_v1_ esecret_ perm- snyk_uat. snyk_sat. PMAK- NRAK- sbp_ sb_secret_ fo1_ fm1_ fm1r_ fm2_ LTAI pul- sha256~ p8e- s-s4t2 secret_ EAAA fw_ AKCp cmVmd ops_eyJ glrtr- glwt- glffct- glsoat- glft- glcbt- glimt- glptt- GR1348941 sk_ tvly- exa_ fal_ fw- fpk_ key_ lsv2_pt_ lsv2_sk_ tgp_v1_ pcsk_ csk- e2b_ fc- jina_ rpa_ re_ nfp_ bb_live_ bb_test_ vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_ phx_ rdme_ pa- cal_live_ ory_at_ ory_rt_ hf_oauth_ dt0c01. dt0s01. CFPAT- sl. duffel_test_ duffel_live_ EZAK EZTK FLWSECK_TEST- FLWSECK- fio-u- ico- NRII- NRJS- oy2 access-sandbox- access-production- pnu_ rubygems_ tk-us- xkeysib- sm_pat_ sm_aat_ sm_sat_ shippo_live_ shippo_test_ squ_ sqp_ sqa_ tfp_ AKID AQVN t1. pubkey- CLOJARS_ v1.0- ~[\w=.+/-]{10,}
jwt: eyJ <W10,>={0,2}\.<W6,8000>={0,2}(?:\.<W0,8000>={0,2})?
password-hash: $2a$ $2b$ $2x$ $2y$ \d\d\$[\w./]{53}
password-hash: $1$ $5$ $6$ $y$ $gy$ $apr1$ $argon2i$ $argon2d$ $argon2id$ $scrypt$ $pbkdf2 $P$ $H$ $S$ {SHA} {SSHA} {SSHA256} {SSHA512} {CRYPT} pbkdf2_sha pbkdf2: scrypt: ~[\w./=,+:$-]{16,}
`;

const shapeClasses: Readonly<Record<string, string>> = { A: '[A-Za-z0-9]', W: '[\\w-]', H: '[0-9a-f]', L: '[A-Za-z]' };

export const vendorShapes: readonly TokenShape[] = /* @__PURE__ */ table
  .trim()
  .split('\n')
  .map((line) => {
    const words = line.split(' ');
    const [, mark, before, body] = /^(?:(~)|\^(.))?(.+)$/.exec(words.at(-1)!)!;
    const name = words[0]!.endsWith(':') ? words.shift()!.slice(0, -1) : '';
    return {
      name,
      prefixes: words.slice(0, -1),
      body: body!.replace(
        /<([AWHL])([\d,]+)>/g,
        (_, letter: string, count: string) => `${shapeClasses[letter]}{${count}}`,
      ),
      isLoose: mark !== undefined,
      before: before ?? '',
    };
  });

/**
 * Last characters of public sample keys that are not masked. Google publishes them in the Android and Firebase SDKs. Source:
 * gitleaks (config/gitleaks.toml, `gcp-api-key`, MIT).
 */
export const published: ReadonlySet<string> = new Set(
  '6YyIs 8agEM ODrlU nhrh0 xbX4A PwX7c WmLd4 eDQgY p4wtM nP5sQ 1cS7g AvvuU rNXsw 4FmqE n0nvY'.split(' '),
);
