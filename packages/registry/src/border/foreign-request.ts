import { PalimpsestError, type SummarizeRequest } from '@palimpsest/core';
import { maskedJson } from '@palimpsest/core/authoring';
import { z } from 'zod';
import { structuralCopy } from './structural-copy.ts';

const messages = z.array(z.looseObject({ role: z.string() }));
const positions = z.array(z.number().int().nonnegative());
const kept = z.object({ messages, requests: positions });

/** Schema of a foreign engine's summarizer request. Unknown fields are dropped. */
const summarizeRequest = z.object({
  prompt: z.string(),
  budgetTokens: z.number().nonnegative(),
  material: z.object({
    messages,
    carried: positions.optional(),
    requests: positions.optional(),
    kept: z.object({ before: kept, after: kept }).optional(),
    previousSummary: z.string().nullable(),
    template: z.object({
      name: z.string(),
      sections: z.array(
        z.object({ heading: z.string(), ask: z.string(), empty: z.string(), byRules: z.boolean().optional() }),
      ),
    }),
    focusTopic: z.string().nullable(),
  }),
});

/**
 * Copies a foreign engine's summarizer request and masks secrets in its prompt and material with the host's redactor.
 * @throws {PalimpsestError} `PLAN_INVALID` when the request does not match the schema
 */
export function foreignRequest(request: unknown, redact: (text: string) => string): Omit<SummarizeRequest, 'signal'> {
  const parsed = summarizeRequest.safeParse(request);
  if (parsed.success)
    return maskedJson(structuralCopy(parsed.data), redact) as unknown as Omit<SummarizeRequest, 'signal'>;
  const { path, message } = parsed.error.issues[0]!;
  throw new PalimpsestError(
    'PLAN_INVALID',
    `Its summarizer request is malformed${path.length > 0 ? ` at ${path.map(String).join('.')}` : ''}: ${message}.`,
  );
}
