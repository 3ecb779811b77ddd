// Token-shaped strings are generated at run time: stored ones would trigger secret scanners on this repository.

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

let state = 42;
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648;
  return Math.floor((state / 2147483648) * limit);
}

/** `length` characters drawn evenly from `alphabet`; the same ones in every run. */
function draw(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[random(alphabet.length)]).join('');
}

/** Random characters that include letters and at least one digit per 8 characters. */
function mixed(alphabet: string, length: number): string {
  for (;;) {
    const piece = draw(alphabet, length);
    const hasDigits = (piece.match(/\d/g)?.length ?? 0) * 8 >= length;
    if (hasDigits && /[a-z]/i.test(piece)) return piece;
  }
}

export const alphanumeric = (length: number): string => mixed(LOWER + LOWER.toUpperCase() + DIGITS, length);
const letters = (length: number): string => draw(LOWER + LOWER.toUpperCase(), length);
export const lower = (length: number): string => mixed(LOWER + DIGITS, length);
export const hex = (length: number): string => mixed(`${DIGITS}abcdef`, length);
export const base32 = (length: number): string => draw('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length);
const digits = (length: number): string => `1${draw(DIGITS, length - 1)}`;
const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');
const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (): string =>
  [segment({ alg: 'HS256', typ: 'JWT' }), segment({ sub: lower(12) }), alphanumeric(43)].join('.');
export const pem = (label = 'RSA PRIVATE KEY', lines = 6): string =>
  [`-----BEGIN ${label}-----`, ...Array.from({ length: lines }, () => alphanumeric(64)), `-----END ${label}-----`].join(
    '\n',
  );

/** One generated token of each format. */
export const TOKENS: Readonly<Record<string, string>> = {
  'OpenAI sk-': `sk-${alphanumeric(20)}T3Blbk${'FJ'}${alphanumeric(20)}`,
  'OpenAI sk- without mark': `sk-${alphanumeric(48)}`,
  'OpenAI sk-proj-': `sk-proj-${alphanumeric(64)}`,
  'Anthropic sk-ant-': `sk-ant-api03-${alphanumeric(93)}AA`,
  'Anthropic short': `sk-ant-oat01-${alphanumeric(40)}`,
  OpenRouter: `sk-or-v1-${hex(64)}`,
  'GitHub ghp_': `ghp_${alphanumeric(36)}`,
  'GitHub gho_': `gho_${alphanumeric(36)}`,
  'GitHub ghu_': `ghu_${alphanumeric(36)}`,
  'GitHub ghs_': `ghs_${alphanumeric(36)}`,
  'GitHub ghr_': `ghr_${alphanumeric(36)}`,
  'GitHub github_pat_': `github_pat_${alphanumeric(22)}_${alphanumeric(59)}`,
  'GitLab glpat-': `glpat-${alphanumeric(20)}`,
  'GitLab glrt-': `glrt-${alphanumeric(20)}`,
  'GitLab gldt-': `gldt-${alphanumeric(20)}`,
  'Slack xoxb-': `xoxb-${digits(12)}-${digits(13)}-${alphanumeric(24)}`,
  'Slack xoxp-': `xoxp-${digits(11)}-${digits(10)}-${digits(11)}-${hex(32)}`,
  'Slack xoxa-': `xoxa-2-${digits(11)}-${digits(11)}-${hex(24)}`,
  'Slack xoxs-': `xoxs-${digits(12)}-${digits(9)}-${digits(10)}-${hex(10)}`,
  'Slack xapp-': `xapp-1-A${base32(10)}-${digits(13)}-${hex(64)}`,
  'AWS AKIA': `AKIA${base32(16)}`,
  'AWS ASIA': `ASIA${base32(16)}`,
  'AWS ABIA': `ABIA${base32(16)}`,
  'AWS ACCA': `ACCA${base32(16)}`,
  'Google AIza': `AIza${alphanumeric(35)}`,
  'Google ya29.': `ya29.${alphanumeric(68)}`,
  'Stripe sk_live_': `sk_live_${alphanumeric(24)}`,
  'Stripe rk_live_': `rk_live_${alphanumeric(24)}`,
  'Stripe whsec_': `whsec_${alphanumeric(32)}`,
  'Hugging Face': `hf_${letters(34)}`,
  npm: `npm_${alphanumeric(36)}`,
  PyPI: `pypi-AgEIcHlwaS5vcmc${alphanumeric(80)}`,
  SendGrid: `SG.${alphanumeric(22)}.${alphanumeric(43)}`,
  Twilio: `SK${hex(32)}`,
  'Telegram bot token': `${digits(10)}:AA${alphanumeric(33)}`,
  'Discord token': `MT${alphanumeric(22)}.${alphanumeric(6)}.${alphanumeric(38)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  Doppler: `dp.pt.${alphanumeric(43)}`,
  Linear: `lin_api_${alphanumeric(40)}`,
  Vault: `hvs.${alphanumeric(90)}`,
  Databricks: `dapi${hex(32)}`,
  Groq: `gsk_${alphanumeric(52)}`,
  xAI: `xai-${alphanumeric(80)}`,
  Replicate: `r8_${alphanumeric(37)}`,
  Perplexity: `pplx-${alphanumeric(48)}`,
  Fireworks: `fw_${alphanumeric(24)}`,
  Langfuse: `sk-lf-${uuid()}`,
  Notion: `ntn_${digits(11)}${alphanumeric(35)}`,
  Figma: `figd_${alphanumeric(40)}`,
  Shopify: `shpat_${hex(32)}`,
  Square: `sq0atp-${alphanumeric(22)}`,
  Cloudflare: `cfut_${alphanumeric(40)}${hex(8)}`,
  Sentry: `sntryu_${hex(64)}`,
  age: `AGE-SECRET-KEY-1${draw('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`,
  'Azure client secret': `abc8Q~${alphanumeric(34)}`,
  JWT: jwt(),
};

/** Names that make a random value next to them a secret. */
export const NAMES: readonly string[] = [
  'OPENAI_API_KEY',
  'PGPASSWORD',
  'db_password',
  'clientSecret',
  'client-secret',
  'access_token',
  'refreshToken',
  'AWS_SECRET_ACCESS_KEY',
  'DD_API_KEY',
  'CLOUDFLARE_API_TOKEN',
  'AZURE_STORAGE_ACCOUNT_KEY',
  'FIREWORKS_API_KEY',
  'x-api-key',
  'spring.datasource.password',
  'authToken',
  'encryption_key',
  'TWILIO_AUTH_TOKEN',
  'passphrase',
];
