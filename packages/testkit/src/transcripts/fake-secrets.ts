const alphanumeric = 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8cF0iL';

/** A fixed string of `length` characters that looks random. */
function noise(length: number, start: number): string {
  let written = '';
  for (let index = 0; index < length; index++) written += alphanumeric[(start + index * 7 + (index >> 2) * 5) % 32];
  return written;
}

/**
 * Fake secrets to plant into generated transcripts, in formats that every redactor knows. They are assembled at run
 * time, because secret scanners reject token-shaped text in a repository.
 */
export function createFakeSecrets(): readonly string[] {
  return [
    ['sk', 'proj', noise(48, 3)].join('-'),
    ['ghp', noise(36, 11)].join('_'),
    ['sk', 'ant', 'api03', noise(60, 17)].join('-'),
    ['glpat', noise(20, 23)].join('-'),
    ['hf', noise(34, 29).replaceAll(/\d/g, 'x')].join('_'),
  ];
}

/** Creates a redactor that masks exactly these secrets where they occur whole. */
export function maskSecrets(secrets: readonly string[]): (text: string) => string {
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}
