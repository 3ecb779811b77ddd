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
  compressNative,
  type Decoded,
  type ShareGptConversation,
  shareGpt,
} from '../src/index.ts';
import { enginesFor } from './engines.ts';
import { type AnyConversation, blocksOf, codecs, nativesOf, rulesOf } from './every-codec.ts';
import { readAnthropic, readShareGpt, sharedDataPresent, someTranscripts } from './shared-data.ts';

const deep = Boolean(process.env.PALIMPSEST_DEEP);

/** Both engines on one conversation; what is wrong with what came out, in words. */
async function faultsOf(codec: Codec<AnyConversation>, native: AnyConversation): Promise<string[]> {
  const faults: string[] = [];
  const before = JSON.stringify(native);
  const decoded = codec.decode(native);
  const broken = rulesOf(codec.validate(native));
  // What the format allows and core's dialect does not, such as a word of the system between a call and its output.
  const foreign = rulesOf(validateTranscript(decoded.messages, { dialect: codec.dialect }));
  for (const engine of await enginesFor(codec.dialect, promptTokens(decoded.messages))) {
    const fault = (what: string): number => faults.push(`${engine.name}: ${what}`);
    const { native: output, result } = await compressNative(engine, codec, native, { force: true });
    if (JSON.stringify(native) !== before) fault('the input was changed');
    if ((result.outcome === 'unchanged') !== (output === native)) fault(`${result.outcome}, but not the same object`);
    const rules = rulesOf(codec.validate(output));
    if (rules.length > 0 && (broken.length === 0 || rules.some((rule) => !broken.includes(rule)))) fault(rules.join());
    const again = codec.decode(output).messages;
    const added = rulesOf(validateTranscript(again, { dialect: codec.dialect })).filter(
      (rule) => !foreign.includes(rule),
    );
    if (broken.length === 0 && added.length > 0) fault(`read again: ${added.join()}`);
    faults.push(...lostObjects(decoded, result.provenance, output).map((index) => `${engine.name}: copied ${index}`));
    // The edits are JSON: behind a restart they lead to the same conversation.
    const edits = JSON.parse(JSON.stringify(result.edits)) as Edit[];
    const copy = structuredClone(native);
    const replayed = codec.decode(copy);
    const replay = codec.encode(replayed, apply(replayed.messages, edits));
    if (JSON.stringify(replay) !== JSON.stringify(output)) fault('edits from JSON lead elsewhere');
  }
  return faults;
}

/**
 * Native messages that no edit touched and that are there only as copies. A message may have been joined with a
 * neighbour: then its blocks are there.
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

/** Its blocks; a text that became one of several blocks cannot be told apart. */
function blocksIn(message: object): readonly unknown[] {
  const { content } = message as { content?: unknown };
  return Array.isArray(content) ? (content as unknown[]) : typeof content === 'string' ? [] : [message];
}

describe.each(codecs)('$name', (codec) => {
  it('is legal after both engines, when it was before', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTranscript({ maxLength: 120, broken: false }), async (messages) => {
        expect(await faultsOf(codec, codec.fromMessages(messages))).toEqual([]);
      }),
      { numRuns: deep ? 500 : 12 },
    );
  });

  it('gets no new faults from both engines, however broken it was', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryTranscript({ maxLength: 120 }), async (messages) => {
        expect(await faultsOf(codec, codec.fromMessages(messages))).toEqual([]);
      }),
      { numRuns: deep ? 500 : 12 },
    );
  });

  it.skipIf(!sharedDataPresent)('is legal after both engines on real transcripts (needs ../shared)', async () => {
    for (const [name, messages] of someTranscripts(codecs.indexOf(codec)).slice(0, deep ? 99 : 5))
      expect(await faultsOf(codec, codec.fromMessages(messages)), name).toEqual([]);
  });
});

describe('real conversations', () => {
  it.skipIf(!sharedDataPresent)('of Anthropic clients are legal after both engines (needs ../shared)', async () => {
    for (const [at, [name, native]] of readAnthropic().entries()) {
      if (!deep && at % 4 > 0) continue;
      expect(await faultsOf(anthropic as unknown as Codec<AnyConversation>, native as AnyConversation), name).toEqual(
        [],
      );
    }
  });

  it.skipIf(!sharedDataPresent)('of ShareGPT sets are legal after both engines (needs ../shared)', async () => {
    for (const [name, rows] of readShareGpt())
      for (const row of (rows as ShareGptConversation[]).filter((_, at) => deep || at % 10 === 0))
        expect(await faultsOf(shareGpt as unknown as Codec<AnyConversation>, row as AnyConversation), name).toEqual([]);
  });
});

describe('turns of one role', () => {
  it('never meet in an Anthropic conversation that was put together from core messages', () => {
    const dialect: Dialect = 'anthropic';
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 60 }), (messages: Message[]) => {
        // System messages between turns are the caller's, wherever they stand.
        const native = anthropic.fromMessages(messages.filter((message) => !isSystem(message)));
        expect(rulesOf(anthropic.validate(native))).not.toContain('roles-not-alternating');
        const rules = rulesOf(validateTranscript(anthropic.decode(native).messages, { dialect }));
        expect(rules).not.toContain('roles-not-alternating');
      }),
      { numRuns: 60 },
    );
  });
});
