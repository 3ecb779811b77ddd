const alphanumeric = 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8cF0iL';

/** `length` characters that look random and are always the same. */
function noise(length: number, start: number): string {
  let written = '';
  for (let index = 0; index < length; index++) written += alphanumeric[(start + index * 7 + (index >> 2) * 5) % 32];
  return written;
}

/**
 * Secrets to plant into generated transcripts: shapes that every redactor knows, without any value. They are put
 * together when they are asked for, because scanners stop at token-shaped text in a repository.
 */
export function plantedSecrets(): readonly string[] {
  return [
    ['sk', 'proj', noise(48, 3)].join('-'),
    ['ghp', noise(36, 11)].join('_'),
    ['sk', 'ant', 'api03', noise(60, 17)].join('-'),
    ['glpat', noise(20, 23)].join('-'),
    ['hf', noise(34, 29).replaceAll(/\d/g, 'x')].join('_'),
  ];
}

/** Masks exactly these secrets, wherever they stand whole. */
export function maskSecrets(secrets: readonly string[]): (text: string) => string {
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}
