import {
  apply,
  type Dialect,
  type Edit,
  isSystem,
  type Message,
  type Provenance,
  validateTranscript,
} from '@palimpsest/core';
import { arbitraryTranscript, promptTokens } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anthropic,
  type Codec,
  compactNative,
  type Decoded,
  type ShareGptConversation,
  shareGpt,
} from '../src/index.ts';
import { enginesFor } from './engines.ts';
import { type AnyConversation, blocksOf, codecs, nativesOf, rulesOf } from './every-codec.ts';
import { readAnthropic, readShareGpt, sharedDataPresent, someTranscripts } from './shared-data.ts';

const deep = Boolean(process.env.PALIMPSEST_DEEP);

/** Runs both engines on a conversation; returns the faults of the results as text. */
async function faultsOf(codec: Codec<AnyConversation>, native: AnyConversation): Promise<string[]> {
  const faults: string[] = [];
  const before = JSON.stringify(native);
  const decoded = codec.decode(native);
  const broken = rulesOf(codec.validate(native));
  // Violations of core's dialect that the format allows, such as a system message between a call and its output.
  const foreign = rulesOf(validateTranscript(decoded.messages, { dialect: codec.dialect }));
  for (const engine of await enginesFor(codec.dialect, promptTokens(decoded.messages))) {
    const fault = (what: string): number => faults.push(`${engine.name}: ${what}`);
    const { native: output, result } = await compactNative(engine, codec, native, { force: true });
    if (JSON.stringify(native) !== before) fault('the input was changed');
    if ((result.outcome === 'unchanged') !== (output === native)) fault(`${result.outcome}, but not the same object`);
    const rules = rulesOf(codec.validate(output));
    // A call whose id has an answer later loses that answer when it is summarized.
    const isKnown = (rule: string): boolean =>
      broken.includes(rule) || (rule === 'call-unanswered' && broken.includes('call-id-duplicate'));
    if (!rules.every(isKnown)) fault(rules.join());
    const again = codec.decode(output).messages;
    const added = rulesOf(validateTranscript(again, { dialect: codec.dialect })).filter(
      (rule) => !foreign.includes(rule),
    );
    if (broken.length === 0 && added.length > 0) fault(`read again: ${added.join()}`);
    faults.push(...lostObjects(decoded, result.provenance, output).map((index) => `${engine.name}: copied ${index}`));
    // Edits are JSON: after a restart they give the same conversation.
    const edits = JSON.parse(JSON.stringify(result.edits)) as Edit[];
    const copy = structuredClone(native);
    const replayed = codec.decode(copy);
    const replay = codec.encode(replayed, apply(replayed.messages, edits));
    if (JSON.stringify(replay) !== JSON.stringify(output)) fault('edits from JSON lead elsewhere');
  }
  return faults;
}

/**
 * Unedited native messages of which only a copy is in the result. If a message was joined with a neighbour, its blocks
 * are looked up.
 */
function lostObjects(decoded: Decoded<AnyConversation>, { output }: Provenance, native: AnyConversation): number[] {
  const natives = nativesOf(decoded.native);
  const known = new Set<unknown>([...nativesOf(native), ...blocksOf(native)]);
  const kept = new Set(output.flatMap((origin) => (origin.kind === 'original' ? [origin.from] : [])));
  const touched = new Set<number>();
  decoded.origins.forEach(({ pieces }, unit) => {
    if (!kept.has(unit)) for (const { index } of pieces) touched.add(index);
  });
  return natives.flatMap((message, index) => {
    const isThere = known.has(message) || blocksIn(message).every((block) => known.has(block));
    return touched.has(index) || isThere ? [] : [index];
  });
}

/** The blocks of a message. A string that became one of several blocks is left out. */
function blocksIn(message: object): readonly unknown[] {
  const { content, parts = content } = message as { content?: unknown; parts?: unknown };
  return Array.isArray(parts) ? (parts as unknown[]) : typeof content === 'string' ? [] : [message];
}

describe.each(codecs)('$name', (codec) => {
  it('stays legal with both engines', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTranscript({ maxLength: 120, broken: false }), async (messages) => {
        expect(await faultsOf(codec, codec.fromMessages(messages))).toEqual([]);
      }),
      { numRuns: deep ? 500 : 12 },
    );
  });

  it('gets no new faults from both engines, even if it was broken', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTranscript({ maxLength: 120 }), async (messages) => {
        expect(await faultsOf(codec, codec.fromMessages(messages))).toEqual([]);
      }),
      { numRuns: deep ? 500 : 12 },
    );
  });

  it.skipIf(!sharedDataPresent)('stays legal with both engines on real transcripts (needs ../shared)', async () => {
    for (const [name, messages] of someTranscripts(codecs.indexOf(codec)).slice(0, deep ? 99 : 5))
      expect(await faultsOf(codec, codec.fromMessages(messages)), name).toEqual([]);
  });
});

describe('real conversations', () => {
  it.skipIf(!sharedDataPresent)('of Anthropic clients stay legal with both engines (needs ../shared)', async () => {
    for (const [at, [name, native]] of readAnthropic().entries()) {
      if (!deep && at % 4 > 0) continue;
      expect(await faultsOf(anthropic as unknown as Codec<AnyConversation>, native as AnyConversation), name).toEqual(
        [],
      );
    }
  });

  it.skipIf(!sharedDataPresent)('of ShareGPT sets stay legal with both engines (needs ../shared)', async () => {
    for (const [name, rows] of readShareGpt())
      for (const row of (rows as ShareGptConversation[]).filter((_, at) => deep || at % 10 === 0))
        expect(await faultsOf(shareGpt as unknown as Codec<AnyConversation>, row as AnyConversation), name).toEqual([]);
  });
});

describe('turns of one role', () => {
  it('are never adjacent in an Anthropic conversation written from core messages', () => {
    const dialect: Dialect = 'anthropic';
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 60 }), (messages: Message[]) => {
        // System messages between turns come from the caller.
        const native = anthropic.fromMessages(messages.filter((message) => !isSystem(message)));
        expect(rulesOf(anthropic.validate(native))).not.toContain('roles-not-alternating');
        const rules = rulesOf(validateTranscript(anthropic.decode(native).messages, { dialect }));
        expect(rules).not.toContain('roles-not-alternating');
      }),
      { numRuns: 60 },
    );
  });
});
