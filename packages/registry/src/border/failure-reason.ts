const longest = 300;

/**
 * Formats a thrown value as one line that is safe to show and log: its message, with secrets masked, cut to 300
 * characters. Never throws, even if the getters of the thrown object do.
 */
export function failureReason(error: unknown, redact: (text: string) => string): string {
  let text: string;
  try {
    const message = typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : error;
    text = typeof message === 'string' && message.trim() !== '' ? message : `it threw ${typeof error}`;
  } catch {
    text = 'it threw an unreadable value';
  }
  // Mask before cutting: the redactor does not recognize half of a secret.
  const line = redact(text).replace(/\s+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}...` : line;
}
