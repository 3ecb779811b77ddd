const longest = 300;

/**
 * What went wrong, in one line that may be shown and logged: the message of whatever was thrown, masked and cut. Never
 * throws, also for a thrown object that does.
 */
export function failureReason(error: unknown, redact: (text: string) => string): string {
  let text: string;
  try {
    const message = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
    text = typeof message === 'string' && message.trim() !== '' ? message : `it threw ${typeof error}`;
  } catch {
    text = 'it threw something that cannot be read';
  }
  // Mask before cutting: the redactor does not recognize half of a secret.
  const line = redact(text).replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}
