import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRedactor, redact } from '../src/index.ts';

const digest = (algorithm: string): string => createHash(algorithm).update('palimpsest').digest('hex');

/** Harmless text that resembles secrets. */
const HARMLESS: readonly string[] = [
  'max_tokens=4096',
  '"max_tokens": 4096,',
  'token_count: 512',
  'tokenizer: cl100k',
  'primary_key=True',
  'api_key = config.get("x")',
  'const key = process.env.API_KEY;',
  'api_key=os.environ["OPENAI_API_KEY"]',
  'password = getpass.getpass()',
  'token = await auth.getToken()',
  `API_KEY=\${API_KEY}`,
  'API_KEY=$API_KEY',
  'password: {{ vault_password }}',
  `token: \${{ secrets.GITHUB_TOKEN }}`,
  'Secretary: Ann Smith',
  'The secretary took the token minutes: 42 in all.',
  '+12345678 added',
  `commit ${digest('sha1')}`,
  `id: ${randomUUID()}`,
  `sha256:${digest('sha256')}`,
  `integrity sha512-${createHash('sha512').update('x').digest('base64')}`,
  `cache_key: ${digest('md5')}`,
  'pip install sk-learn-contrib-extended-models',
  'sk-learn-contrib',
  'password=test',
  'password: changeme',
  'api_key: <your-key>',
  'apiKey: "YOUR_API_KEY"',
  'token: "xxxxxxxxxxxxxxxxxxxxxxxx"',
  'secret: "***"',
  'password: ********',
  'password: string;',
  'token?: string | undefined',
  'def login(username, password): pass',
  'connect(user=user, password=password)',
  'Password must be at least 8 characters long.',
  'next_page_token: CAUQAA',
  'keyboard: qwerty1',
  'for key, value in items.items():',
  'key=lambda item: item[1]',
  'sort_key: created2024_at',
  'public_key: ssh-ed25519',
  'PASSWORD_FILE=/run/secrets/db_password',
  'key: /etc/ssl/private/server.key',
  'token_url: https://auth.example.com/oauth2/token',
  'https://example.com/docs?page=2&sort=key',
  'GET /items?code=404',
  'exit code=137',
  'mailto:ann@example.com and https://example.com/@ann/notes',
  'postgres://user:password@localhost/db',
  'postgres://localhost:5432/db',
  'Authorization: required',
  'Bearer authentication is described below',
  'eos_token: "</s>"',
  'author: ann2024',
  'const someHaveQuestionToken = otherHaveQuestionToken;',
  'the AKIA prefix, ghp_ tokens and sk- keys',
  `curl -u "\${USER}:\${PASS}" https://example.com`,
  'mysql -p',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ',
  'v1.0-rc.1, t1.micro, SG.1, r8_x, dp.x',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
];

describe('redact leaves harmless text unchanged', () => {
  it.each(HARMLESS)('%s', (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(text, { boundary: true })).toBe(text);
    expect(redact(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
  });

  it('including keys that vendors publish in their samples', () => {
    const published = `AKIA${'IOSFODNN7'}EXAMPLE`;
    expect(redact(`key ${published}`)).toBe(`key ${published}`);
  });

  it('including masks', () => {
    for (const text of [
      'TOKEN=***',
      'TOKEN=a1B2c3...',
      'TOKEN=a1B2c3...4o5P',
      '[REDACTED PRIVATE KEY]',
      'key: [REDACTED]',
    ]) {
      expect(createRedactor().redact(text)).toBe(text);
    }
  });
});
