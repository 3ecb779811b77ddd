import { describe, expect, it } from 'vitest';
import { createRedactor, inspect, redact } from '../src/index.ts';
import { discordMentions, phoneNumbers } from '../src/personal.ts';
import { alphanumeric, hex, lower, pem } from './token-maker.ts';

const value = alphanumeric(32);
const [password, opaque] = [`s3cr3t-${lower(6)}`, alphanumeric(24)];

describe('headers', () => {
  it.each([
    ['Bearer', `Authorization: Bearer ${value}`],
    ['Basic', `Authorization: Basic ${Buffer.from(`ann:${password}`).toString('base64')}`],
    ['a custom scheme', `authorization: Api-Token ${value}`],
    ['no scheme', `Authorization: ${value}`],
    ['JSON', JSON.stringify({ headers: { Authorization: `Bearer ${value}` } })],
    ['a Python dict', `headers={'Authorization': 'token ${value}'}`],
    ['curl', `curl -H "Authorization: Bearer ${value}" https://h.example.com`],
    ['escaped JSON', JSON.stringify(JSON.stringify({ Authorization: `Bearer ${value}` }))],
    ['x-api-key', `x-api-key: ${value}`],
    ['bare Bearer', `sent with Bearer ${value}, and got 401`],
    ['Digest', `Authorization: Digest username=ann, nonce=${value}, response=${hex(32)}`],
  ])('mask the credentials of %s', (_, text) => {
    const result = redact(text);
    expect(result).not.toContain(value);
    expect(result).not.toContain(Buffer.from(`ann:${password}`).toString('base64'));
    expect(redact(result)).toBe(result);
  });

  it('keep the scheme and the header name', () => {
    expect(redact(`Authorization: Bearer ${value}`)).toMatch(/^Authorization: Bearer \S{6}\.\.\.\S{4}$/);
  });

  it('mask the values of cookies, not their names or attributes', () => {
    const result = redact(`Set-Cookie: sessionid=${value}; Path=/; HttpOnly; SameSite=Lax`);
    expect(result).toMatch(/^Set-Cookie: sessionid=\S+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(result).not.toContain(value);
    expect(redact(`Cookie: theme=dark; auth-token=${value}; lang=en`)).toMatch(
      /theme=dark; auth-token=\S+\.\.\.\S{4}; lang=en/,
    );
    expect(redact(JSON.stringify({ Cookie: `sid=${value}` }))).not.toContain(value);
  });
});

describe('URLs', () => {
  it.each([
    'postgres',
    'postgresql',
    'mysql',
    'mongodb',
    'mongodb+srv',
    'redis',
    'rediss',
    'amqp',
    'postgresql+asyncpg',
    'mysql+pymysql',
  ])('with scheme %s lose only the password', (scheme) => {
    expect(redact(`db at ${scheme}://app:${password}@db.host:5432/main?ssl=true ok`)).toBe(
      `db at ${scheme}://app:***@db.host:5432/main?ssl=true ok`,
    );
  });

  it('lose a password that contains @', () => {
    expect(redact(`mongodb://app:p@ss${password}@cluster0.host.net/db`)).toBe('mongodb://app:***@cluster0.host.net/db');
  });

  it('lose the password with any scheme, and a token in place of the user', () => {
    expect(redact(`git clone https://ann:${password}@git.host/x.git`)).toBe('git clone https://ann:***@git.host/x.git');
    expect(redact(`https://${opaque}@git.host/x.git`)).not.toContain(opaque);
    expect(redact('ssh://git@git.host/x.git')).toBe('ssh://git@git.host/x.git');
  });

  it.each([
    'access_token',
    'code',
    'signature',
    'sig',
    'key',
    'token',
    'secret',
    'X-Amz-Signature',
    'client_secret',
    'api_key',
  ])('lose the value of the parameter %s', (name) => {
    const result = redact(`GET https://h.example.com/cb?state=1&${name}=${opaque}&x=2`);
    expect(result).not.toContain(opaque);
    expect(result).toContain(`state=1&${name}=`);
    expect(result).toContain('&x=2');
  });

  it('lose the last segment if they are webhooks', () => {
    const slack = `https://hooks.slack.com/services/T0${'ABC'}1234/B0${'DEF'}5678/${opaque}`;
    expect(redact(slack)).not.toContain(opaque);
    expect(redact(slack)).toContain('https://hooks.slack.com/services/T0');
    const discord = `https://discord.com/api/webhooks/123456789012345678/${alphanumeric(68)}`;
    expect(redact(discord)).not.toContain(discord.slice(-20));
  });
});

describe('private keys', () => {
  it.each([
    'RSA PRIVATE KEY',
    'PRIVATE KEY',
    'EC PRIVATE KEY',
    'OPENSSH PRIVATE KEY',
    'ENCRYPTED PRIVATE KEY',
    'PGP PRIVATE KEY BLOCK',
  ])('of kind %s are replaced by one marker, and the number of lines is unchanged', (label) => {
    const key = pem(label);
    expect(redact(`before\n${key}\nafter`)).toBe(`before\n[REDACTED PRIVATE KEY]${'\n'.repeat(7)}\nafter`);
  });

  it('are found escaped in JSON', () => {
    const text = JSON.stringify({
      type: 'service_account',
      private_key: `${pem('PRIVATE KEY')}\n`,
      client_email: 'a@b.c',
    });
    const account = JSON.parse(redact(text)) as { private_key: string; client_email: string };
    expect(account.private_key).toBe('[REDACTED PRIVATE KEY]\n');
    expect(account.client_email).toBe('a@b.c');
  });

  it('are found truncated, and the prose after them is unchanged', () => {
    const cut = pem().split('\n').slice(0, 4).join('\n');
    expect(redact(`${cut}\n... (truncated)\nand so on`)).toBe(
      `[REDACTED PRIVATE KEY]${'\n'.repeat(3)}\n... (truncated)\nand so on`,
    );
  });

  it('are found in a diff', () => {
    const diff = pem()
      .split('\n')
      .map((line) => `+${line}`)
      .join('\n');
    expect(redact(diff)).not.toContain(diff.split('\n')[2]);
  });

  it('are distinguished from certificates', () => {
    const certificate = pem('CERTIFICATE');
    expect(redact(certificate)).toBe(certificate);
  });
});

describe('command lines and files', () => {
  it.each([
    ['a flag', `tool --password ${password} --verbose`, `tool --password *** --verbose`],
    ['mysql -p', `mysql -u root -p${password} db`, 'mysql -u root -p*** db'],
    ['sshpass', `sshpass -p ${password} ssh host`, 'sshpass -p *** ssh host'],
    ['curl -u', `curl -s -u ann:${password} https://h.example.com`, 'curl -s -u ann:*** https://h.example.com'],
    [
      'curl --user',
      `curl --user "ann:${password}" https://h.example.com`,
      'curl --user "ann:***" https://h.example.com',
    ],
    ['.netrc', `machine h.example.com login ann password ${password}`, 'machine h.example.com login ann password ***'],
    ['.npmrc', `//registry.npmjs.org/:_authToken=${lower(16)}1a`, undefined],
    [
      'docker',
      JSON.stringify({ auths: { 'r.example.com': { auth: Buffer.from(`ann:${password}`).toString('base64') } } }),
      undefined,
    ],
    ['nuget', `<add key="Password" value="${password}" />`, '<add key="Password" value="***" />'],
  ])('are masked in %s', (_, text, expected) => {
    const result = redact(text);
    if (expected !== undefined) expect(result).toBe(expected);
    expect(result).not.toBe(text);
    expect(redact(result)).toBe(result);
  });
});

describe('connection strings', () => {
  it('lose only the account key, the password and the signature', () => {
    const key = `${alphanumeric(86)}==`;
    expect(redact(`AccountName=acme;AccountKey=${key};EndpointSuffix=core.windows.net`)).toBe(
      `AccountName=acme;AccountKey=${key.slice(0, 6)}...${key.slice(-4)};EndpointSuffix=core.windows.net`,
    );
    expect(redact('Server=db;User Id=sa;Password=Str0ng!Pass;Encrypt=true')).toBe(
      'Server=db;User Id=sa;Password=***;Encrypt=true',
    );
    const signed = `https://acme.blob.core.windows.net/c?sv=2022-11-02&sig=${alphanumeric(20)}%2B${alphanumeric(20)}%3D&se=2026`;
    expect(redact(signed)).toBe('https://acme.blob.core.windows.net/c?sv=2022-11-02&sig=***&se=2026');
  });
});

describe('JSON', () => {
  it('stays valid JSON if the secret is a number', () => {
    const result = JSON.parse(redact('{"password": 123456789012345678, "port": 5432}')) as Record<string, unknown>;
    expect(result).toEqual({ password: '123456...', port: 5432 });
  });

  it('keeps null, true and false', () => {
    const text = '{"password": null, "token": true, "secret": false, "api_key": ""}';
    expect(redact(text)).toBe(text);
  });
});

describe('optional rules', () => {
  const redactor = createRedactor({ rules: [phoneNumbers, discordMentions] });
  it('mask phone numbers and Discord mentions', () => {
    expect(redactor.redact('call +1 415-555-2671 or +4915112345678')).toBe('call [PHONE] or [PHONE]');
    expect(redactor.redact('<@123456789012345678> hi')).toBe('<@***> hi');
  });
  it('are off by default, and never mask counts', () => {
    expect(redact('call +14155552671 <@123456789012345678>')).toBe('call +14155552671 <@123456789012345678>');
    expect(redactor.redact('+12345678 added, +1234567890abcdef')).toBe('+12345678 added, +1234567890abcdef');
  });
});

describe('masks', () => {
  it('show nothing under 18 characters, the first 6 from 18, the last 4 from 30', () => {
    const named = (length: number): string => redact(`TOKEN=${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'.slice(0, length)}`);
    expect(named(17)).toBe('TOKEN=***');
    expect(named(18)).toBe('TOKEN=a1B2c3...');
    expect(named(29)).toBe('TOKEN=a1B2c3...');
    expect(named(30)).toBe('TOKEN=a1B2c3...N4o5');
  });
});

describe('options', () => {
  const text = `token: ${value}`;
  it('turn masking off for logs with mode off, but not at a boundary', () => {
    const off = createRedactor({ mode: 'off' });
    expect(off.redact(text)).toBe(text);
    expect(off.redact(text, { boundary: true })).not.toContain(value);
  });
  it('mask only tokens with a known format with mode known', () => {
    const known = createRedactor({ mode: 'known' });
    expect(known.redact(text)).toBe(text);
    expect(known.redact(`ghp_${alphanumeric(36)}`)).toMatch(/^ghp_\w\w\.\.\.\w{4}$/);
  });
  it('exempt allowed values', () => {
    expect(createRedactor({ allow: [value] }).redact(text)).toBe(text);
  });
});

describe('findings', () => {
  it('give kind and range of each secret, in order and without overlaps', () => {
    const key = `ghp_${alphanumeric(36)}`;
    const source = `A_TOKEN=${key}\nB_PASSWORD=${password}\n`;
    const findings = inspect(source);
    expect(findings.map(({ kind }) => kind)).toEqual(['token ghp_', 'assignment']);
    expect(findings.map(({ start, end }) => source.slice(start, end))).toEqual([key, password]);
  });
  it('give ranges of the original text if it contains colours', () => {
    const coloured = `\u001b[31mB_PASSWORD\u001b[0m=\u001b[32m${password}\u001b[0m.`;
    const [finding] = inspect(coloured);
    expect(coloured.slice(finding!.start, finding!.end)).toBe(password);
  });
});
