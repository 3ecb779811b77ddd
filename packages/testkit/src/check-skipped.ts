import { PalimpsestError } from '@palimpsest/core';

/** @throws {PalimpsestError} `OPTION_INVALID` if `skip` names an unknown case or gives no reason */
export function checkSkipped(skip: Readonly<Record<string, string>>, known: readonly string[]): void {
  for (const [name, reason] of Object.entries(skip)) {
    const message = !known.includes(name)
      ? `There is no case "${name}" to skip. Pass one of: ${known.map((one) => `"${one}"`).join(', ')}.`
      : reason.trim() === ''
        ? `The case "${name}" is skipped without a reason. Say why it cannot pass.`
        : null;
    if (message) throw new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: ['skip', name], message }] });
  }
}
