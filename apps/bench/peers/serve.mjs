/**
 * Answers requests of the bench over this process's IPC channel, one at a time.
 * @param keep gets the messages (OpenAI chat), the budget in tokens and the tokens of each message; gives what is kept
 *   in order: the index of a message kept as it was, or the changed message
 * @param search gets names to find in what the last call of `keep` hid; gives the answer of each call of a tool
 */
export function serve(keep, search) {
  process.on('message', async ({ messages, budgetTokens, tokens, names }) => {
    try {
      process.send(names ? { answers: await search(names) } : { kept: await keep(messages, budgetTokens, tokens) });
    } catch (error) {
      process.send({
        error: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : 'unknown error',
      });
    }
  });
}

/** Returns the text of a message's content. */
export function textOf(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('\n');
}

/** Parses the arguments of a tool call into the object that the libraries expect. */
export function argumentsOf(call) {
  try {
    const value = JSON.parse(call.function?.arguments ?? '{}');
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {}
  return { input: call.function?.arguments ?? call.custom?.input ?? '' };
}

/** Returns the name of the tool that a call or result belongs to. */
export const toolNameOf = (call) => call.function?.name ?? call.custom?.name ?? call.name ?? 'tool';

/** Estimates the tokens of a changed message from its remaining characters. Used to search for a setting; the bench recounts. */
export function tokensLeft(before, after, tokens) {
  return Math.ceil((tokens * JSON.stringify(after).length) / JSON.stringify(before).length);
}

/** Returns the largest integer up to `most` that fits, assuming all smaller ones fit too; 0 if none does. */
export async function largestFitting(most, fits) {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
