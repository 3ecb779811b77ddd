import { describe, expect, it } from 'vitest';
import { classifyError } from '../src/index.ts';

const refused = (status: number, message: string, code?: string): Error =>
  Object.assign(new Error(message), { status, error: { message, code } });

/**
 * The classification of errors is tested in `@palimpsest/provider-errors`. Here: what an error means for a summarizer.
 */
describe('an error of a summarizer', () => {
  it.each([
    ['overflow', refused(400, 'Number of input tokens exceeds maximum length. Please update the input to try again.')],
    [
      'overflow',
      refused(400, 'The prompt (total length 25938) is too long to fit into the model (context length 4096).'),
    ],
    ['overflow', refused(500, 'Requested tokens (5000) exceed context window of 4096')],
    ['overflow', refused(429, 'Request too large on tokens per min (TPM): Limit 6000, Requested 12089.')],
    ['overflow', refused(413, 'Request Entity Too Large')],
    // The limit concerns the answer, not the prompt: smaller parts would not help.
    [
      'unknown',
      refused(
        400,
        '`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      ),
    ],
    ['access', refused(400, 'Access denied, please make sure your account is in good standing.', 'Arrearage')],
    ['access', refused(402, 'Insufficient Balance')],
    ['transient', refused(429, 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000.')],
    ['transient', refused(529, 'Overloaded')],
    ['transient', Object.assign(new Error('Request timed out.'), { name: 'APIConnectionTimeoutError' })],
    ['network', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['missing-model', refused(404, 'The model `x` does not exist', 'model_not_found')],
    ['bad-output', new SyntaxError('Unexpected token < in JSON at position 0')],
    ['unknown', new Error('something else')],
  ])('is %s: %s', (name, error) => {
    expect(classifyError(error).class).toBe(name);
  });

  it('may be any value', () => {
    const hostile = {
      get cause(): unknown {
        throw new Error('no');
      },
    };
    for (const odd of [undefined, null, 'x', 1, Symbol('x'), hostile]) expect(classifyError(odd).class).toBe('unknown');
  });
});
