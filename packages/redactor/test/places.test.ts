import { describe, expect, it } from 'vitest';
import { redact, redactMessages } from '../src/index.ts';
import { alphanumeric, base32, hex, lower } from './token-maker.ts';

const value = alphanumeric(32);
const other = alphanumeric(24);
const password = 'hunter2!x';
const words = 'correcthorsebattery';

/** Expects that no secret is left in the redacted text, alone or inside JSON. */
function expectMasked(text: string, ...secrets: readonly string[]): void {
  const result = redact(text);
  for (const secret of secrets) expect(result).not.toContain(secret);
  expect(result.split('\n')).toHaveLength(text.split('\n').length);
  expect(redact(result)).toBe(result);
  const json = JSON.stringify({ text });
  for (const secret of secrets) expect((JSON.parse(redact(json)) as { text: string }).text).not.toContain(secret);
}

describe('names', () => {
  it.each<[string, ...string[]]>([
    [`secrets: ${value}`, value],
    [`API_KEYS=${value},${other}`, value, other],
    [JSON.stringify({ tokens: [value, other] }), value, other],
    [JSON.stringify({ passwords: [password, 'Zx9!kkpq'] }, null, 2), password, 'Zx9!kkpq'],
    [`api_keys = ["${value}", "${other}"]`, value, other],
    [`secrets:\n  - ${value}\n  - "${other}"\nport: 80`, value, other],
    [`DB_PW=${password}`, password],
    [`wpa_psk="${words}"`, words],
    [`psk=${password}`, password],
    [`PresharedKey = ${alphanumeric(43)}=`],
    [`${'spring.cloud.config.server.'.repeat(8)}password=${password}`, password],
    [`**Password:** ${password}`, password],
    [`password: >-\n  ${password}\n`, password],
    [`<password>${words}</password>`, words],
  ])('are found in plural, short and long forms: %s', (text, ...secrets) => {
    expectMasked(text, ...secrets);
    expect(redact(text)).not.toBe(text);
  });

  it.each<[string, ...string[]]>([
    [`var token string = "${value}"`, value],
    [`session Option<String> = "${value}"`, value],
    [`token string  := "${value}"`, value],
    [`const password value: "${password}"`, password],
    [`secret value="${value}"`, value],
  ])('have values after a word that is a type or a field: %s', (text, ...secrets) => {
    expectMasked(text, ...secrets);
  });

  it.each([
    `The session token of the worker is ${lower(12)}.`,
    'a token src/area-3/file-12.ts:40 session line, passes tests',
    'session other\nvalue = 3',
  ])('in a sentence have no value: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  const telling = [
    '密码',
    '密碼',
    '口令',
    'パスワード',
    '暗証番号',
    '비밀번호',
    'пароль',
    'Пароль',
    'ПАРОЛЬ',
    'contraseña',
  ];
  const german = ['Passwort', 'Kennwort', 'DB_PASSWORT', 'Geheimnis', 'wachtwoord'];
  it.each([...telling, ...german])('of passwords are found in other languages: %s', (name) => {
    for (const text of [
      `${name}: ${password}`,
      `${name} = ${password}`,
      `${name}：${password}。`,
      `"${name}": "${words}"`,
    ])
      expectMasked(text, password, words);
    expect(redactMessages([{ [name]: password }])).toEqual([{ [name]: '***' }]);
  });
  it.each(['令牌', '密钥', 'トークン', '秘密鍵', 'токен', 'ключ', 'Schlüssel'])(
    'of tokens are found in other languages: %s',
    (name) => {
      expectMasked(`${name}：${value}`, value);
      expect(redact(`${name}: main`)).toBe(`${name}: main`);
    },
  );
  it('are found before "is" in Chinese and Japanese', () => {
    expectMasked(`密码是${password}，请保密`, password);
    expectMasked(`パスワードは「${password}」です`, password);
  });
});

describe('URLs', () => {
  it.each<[string, ...string[]]>([
    [`https://a1b2c3d4e5@host.example.com/x`, 'a1b2c3d4e5'],
    [`fetch //ann:${password}@host.example.com/x`, password],
    [`https://${other}:x-oauth-basic@github.com/a/b`, other],
    [`password=${words}&username=ann`, words],
    [`username=ann&password=${words}`, words],
    [`https://h.example.com/?api_key=abcdefGHIJklmnop&x=1`, 'abcdefGHIJklmnop'],
  ])('lose the secret: %s', (text, ...secrets) => expectMasked(text, ...secrets));

  it('keep users, letters of other parameters and comments', () => {
    for (const text of [
      'https://ann@example.com/ and ssh://git@h.example.com/x',
      '//cdn.example.com/@scope/x',
      '// see: ann@example.com',
      '?sort=key&auth=required&session=expired',
      '?token=placeholder&x=1',
    ])
      expect(redact(text)).toBe(text);
  });
});

describe('tokens', () => {
  const prefixes =
    'sk_ tvly- tvly-dev- exa_ fal_ fw- fpk_ glwt- lsv2_pt_ pcsk_ csk- jina_ nfp_ xkeysib- rubygems_ NRII- tfp_ sqp_ CFPAT-'.split(
      ' ',
    );
  it.each(prefixes)('with the prefix %s are found', (prefix) => {
    const body = alphanumeric(36);
    expectMasked(`use ${prefix}${body} now`, body);
  });
  it('whose prefix has only letters are not found in base64', () => {
    for (const prefix of ['EZAK', 'AKID', 'LTAI', 'EAAA'])
      for (const sign of ['+', '/']) {
        const text = `...${alphanumeric(20)}${sign}${prefix}${alphanumeric(60)}/${alphanumeric(20)}...`;
        expect(redact(text)).toBe(text);
      }
  });
  it('of GitLab are found in the routable format', () => {
    for (const prefix of ['glpat-', 'glrt-', 'glrtr-']) {
      const body = alphanumeric(27);
      expectMasked(`use ${prefix}${body}.01.${lower(9)} now`, body);
    }
  });
  it('are found as padded JWTs, including the signature', () => {
    const part = (text: string): string => Buffer.from(text).toString('base64');
    const token = `${part('{"alg":"HS256"}')}.${part('{"sub":"ann.smith"}1')}.${alphanumeric(42)}==`;
    expect(redact(`got ${token} back`)).toMatch(/^got eyJ\w{3}\.\.\.\S{4} back$/);
  });
  it('are found after a name', () => {
    const [github, aws, claude] = [`ghp_${alphanumeric(36)}`, `AKIA${base32(16)}`, `sk-ant-api03-${alphanumeric(40)}`];
    expectMasked(`key_${github}.txt backup-${github}.json my.${github}`, github);
    expectMasked(`aws_${aws}.csv, key_${claude}`, aws, claude);
    const name = 'ask-skill_sk-learn task_sk-list';
    expect(redact(name)).toBe(name);
  });
  it('are found as password hashes', () => {
    for (const hash of [
      `$2b$12$${alphanumeric(53)}`,
      `$6$${alphanumeric(8)}$${alphanumeric(86)}`,
      `$argon2id$v=19$m=65536,t=3,p=4$${alphanumeric(22)}$${alphanumeric(43)}`,
      `$y$j9T$${alphanumeric(22)}$${alphanumeric(43)}`,
      `pbkdf2_sha256$260000$${alphanumeric(12)}$${alphanumeric(43)}=`,
      `scrypt:32768:8:1$${alphanumeric(16)}$${hex(128)}`,
      `{SSHA}${alphanumeric(32)}`,
    ])
      expectMasked(`ann:${hash}:19000`, hash.slice(-20));
    const nt = hex(32);
    expectMasked(`Administrator:500:${'aad3b435b51404ee'.repeat(2)}:${nt}:::`, nt);
  });
});

describe('command lines', () => {
  it.each<[string, ...string[]]>([
    [`mysql -u root\nsshpass -p ${password} ssh h`, password],
    [`mysql -e 'x'; docker login -u ann -p ${password}`, password],
    [`docker login mysql.example.com -p ${password}`, password],
    [`docker login \\\n  -u ann \\\n  -p ${password}`, password],
    [`mysqldump -p${password} db`, password],
  ])('lose the password, whatever precedes it: %s', (text, ...secrets) => {
    expect(redact(text)).not.toContain(secrets[0]);
  });
  it('keep ports and the flags of other commands', () => {
    for (const text of [
      'docker login && docker run -p 8080:80 nginx',
      'docker login && mkdir -p build/x2',
      JSON.stringify('docker login h\nmkdir -p build/x2'),
      'sshpass -V\nmkdir -p build/x2',
      'tool -k -no-pass -dc-ip 192.168.1.1',
    ])
      expect(redact(text)).toBe(text);
  });
});

describe('statements', () => {
  it.each<[string, ...string[]]>([
    [`CREATE USER 'ann'@'%' IDENTIFIED BY '${words}';`, words],
    [`CREATE USER ann IDENTIFIED BY ${password};`, password],
    [`ALTER ROLE ann WITH PASSWORD 'swordfish';`, 'swordfish'],
    [`CREATE ROLE ann ENCRYPTED PASSWORD '${password}'`, password],
    [`SET PASSWORD FOR ann = PASSWORD('${password}')`, password],
    [
      `INSERT INTO users (id, name, password) VALUES (1, 'ann', '${words}'), (2, 'bob', '${password}');`,
      words,
      password,
    ],
    [`INSERT INTO "keys" ("api_key", "owner")\nVALUES ('${value}', 'ann')`, value],
    [`variable "db_password" {\n  type    = string\n  default = "${words}"\n}`, words],
    [`{"db_password": {"sensitive": true, "type": "string", "value": "${words}"}}`, words],
    [`db.example.com:5432:main:app:${words}`, words],
    [`*:*:*:postgres:${words}`, words],
    [`ConvertTo-SecureString "${words}" -AsPlainText -Force`, words],
    [`ConvertTo-SecureString -String '${words}' -AsPlainText`, words],
    [`$p = "${words}" | ConvertTo-SecureString -AsPlainText -Force`, words],
  ])('lose the secret: %s', (text, ...secrets) => expectMasked(text, ...secrets));

  it('keep values that are not secrets', () => {
    for (const text of [
      "SELECT password FROM users WHERE id = 'abc1'",
      "INSERT INTO users (id, name) VALUES (1, 'ann2'), (2, 'bob3')",
      "INSERT INTO t (primary_key, token_count) VALUES ('a1b2c3d4e5f6', '17')",
      'identified by a number',
      '- "5432:5432" and host:5432:db',
      'ConvertTo-SecureString $env:PASSWORD -AsPlainText',
      'secret: { value: "", valid: false }',
      '"password": {"type": "string", "minLength": 8}',
    ])
      expect(redact(text)).toBe(text);
  });
});

describe('harmless text', () => {
  it.each([
    's3 key: uploads/2024/report-final-v2.pdf',
    `S3 key: datasets/${'9f86d081884c7d65'.repeat(2)}/part-0001.parquet`,
    'key: images/cat1.png',
    'token: 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    'token: 0x1f3c',
    '"pass": "all 12 tests pass"',
    '"pass": "a sentence with 2 numbers"',
    '"password": "Enter your password, 8 characters"',
    '"password": "Das Passwort muss 8 Zeichen haben"',
    'token===123',
    'if (token === abc123def456) {',
    'password === confirm2',
    '--- PASS: TestLogin2FA/with_token_9 (0.00s)',
    'CheckStatus::Pass => "#10b981",',
    'CheckStatus::Pass => write!(f, "ok1"),',
    'fn login(passphrase: &str, salt: &[u8; 16])',
    'publicKeyToken="31bf3856ad364e35"',
    'Session: apm-e4c7f2a1-8b3d-4a7e-9f2b-6c8d1e3a5b7c',
    'session_key="agent:main:telegram:group:-1001:17585"',
    '["password", "xml", "inf"]',
    '{"command": "pwd", "description": "Check it"}',
    'ClearTextPassword = **0**',
    'It passes `result.Transcript1` on, and `modpath[:-1]`.',
    'pattern: `(api_key|password|secret|token)\\s*[=:]`',
    'secrets: inherit',
    'function f(e){switch(e.token=25,e.token){case 8456258:e.token=2162700;break}let{token:c}=e;e.tokenValue===1048576&&f(e,24)}',
    'if(d>0&&e.tokenValue==="constructor"&&f(e,106))',
    'exports.k8sServiceAccountTokenProvider = k8sServiceAccountTokenProvider;',
    'function request(key: ClientHttp2Stream, pass: number): KeyPairKeyObjectResult',
    'const __resolvedApiKey = isApiKeyProvider2;',
    'secrets:\n  - db_password\n  - api_key_v2\n',
    '"tokens": ["Hello", "world"], "tokens": [101, 2023]',
    'the password "abc" is wrong, and getpass("Password: ") asks',
    'self.token = token2',
    '密码：请输入密码',
    'Пароль: обязательно',
    'Kennwort: erforderlich',
    'fw-bold text-primary-500 fw-semibold, exa_mple_text_that_is_long, re_compile_pattern2',
  ])('is unchanged: %s', (text) => {
    expect(redact(text)).toBe(text);
    expect(redact(text, { boundary: true })).toBe(text);
  });

  it('differs from real secrets with the same names', () => {
    const key = hex(64);
    expectMasked(`private_key=0x${key}`, key);
    expectMasked(`if (token === "${value}") {`, value);
    expectMasked(`setProperty("db.password", "${password}")`, password);
    expectMasked(`pass: ${password}`, password);
  });
});
