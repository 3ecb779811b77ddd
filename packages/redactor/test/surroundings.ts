/** Texts in which a secret occurs unbroken, next to a name or in a known position. */
export const SURROUNDINGS: Readonly<Record<string, (secret: string) => string>> = {
  'a header': (secret) => `X-Api-Key: ${secret}\r\nAccept: */*`,
  'an authorization header': (secret) => `Authorization: Bearer ${secret}`,
  JSON: (secret) => JSON.stringify({ model: 'm', api_key: secret, n: 1 }),
  'indented JSON': (secret) => JSON.stringify({ list: [{ token: secret }] }, null, 2),
  'JSON in JSON': (secret) => JSON.stringify({ body: JSON.stringify({ password: secret, ok: true }) }),
  'JSON three deep': (secret) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ 'api-key': secret }) }) }),
  'a Python dict': (secret) => `{'user': 'ann', 'access_token': '${secret}', 'n': None}`,
  YAML: (secret) => `service:\n  api_key: ${secret}\n  port: 80\n`,
  'quoted YAML': (secret) => `db:\n  password: "${secret}"\n`,
  TOML: (secret) => `[auth]\ntoken = "${secret}"\n`,
  INI: (secret) => `[client]\nsecret=${secret}\nport=3306\n`,
  'an environment file': (secret) => `export SERVICE_TOKEN=${secret}\nLOG_LEVEL=info`,
  'a line of a JSON string': (secret) => JSON.stringify({ text: `A=1\nSERVICE_TOKEN=${secret}\nB=2` }),
  'a CLI flag': (secret) => `tool --token ${secret} --verbose`,
  'a CLI flag with =': (secret) => `tool --api-key=${secret} --verbose`,
  'a URL query': (secret) => `GET https://api.example.com/v1?page=2&access_token=${secret}&x=1 200`,
  'a URL fragment': (secret) => `https://app.example.com/cb#token=${secret}&state=2`,
  'a form body': (secret) => `grant_type=code&client_secret=${secret}&x=1`,
  'double quotes': (secret) => `the secret: "${secret}".`,
  'an added line of a diff': (secret) => `@@ -1 +1 @@\n-TOKEN=old\n+TOKEN=${secret}\n`,
  'a shell line': (secret) => `$ export API_TOKEN='${secret}' && run`,
  XML: (secret) => `<config>\n  <apiKey>${secret}</apiKey>\n</config>`,
  'a name field next to a value field': (secret) => `env:\n  - name: API_TOKEN\n    value: ${secret}\n`,
};

/** Texts without a name next to the secret: only tokens with a known format are found there. */
export const BARE_SURROUNDINGS: Readonly<Record<string, (secret: string) => string>> = {
  'the whole text': (secret) => secret,
  'a line start': (secret) => `first\n${secret} is what I saw\nlast`,
  'a line end': (secret) => `I saw ${secret}\nlast`,
  'single quotes': (secret) => `use '${secret}' here`,
  backticks: (secret) => `use \`${secret}\` here`,
  parentheses: (secret) => `login(${secret})`,
  'a removed line of a diff': (secret) => `@@ -1 +0 @@\n-${secret}\n`,
  'escaped newlines': (secret) => `"line one\\n${secret}\\nline three"`,
};

/** Texts that split a secret. No part of it may be left. */
export const SPLITTING: Readonly<Record<string, (secret: string) => string>> = {
  'ANSI colours': (secret) => `key: \u001b[32m${secret.slice(0, 9)}\u001b[1;31m${secret.slice(9)}\u001b[0m done`,
  'written ANSI colours': (secret) => JSON.stringify(`\u001b[1m${secret.slice(0, 7)}\u001b[0m${secret.slice(7)}`),
  'zero-width characters': (secret) => `${secret.slice(0, 5)}\u200b${secret.slice(5, 12)}\ufeff${secret.slice(12)}`,
  'a soft hyphen': (secret) => `${secret.slice(0, 10)}\u00ad${secret.slice(10)}`,
};
