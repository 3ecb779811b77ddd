import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { anthropicFaults, type NamedTranscript, strictCheck } from '@palimpsest/eval/measures';
import { type AnthropicConversation, anthropic, compressNative } from '@palimpsest/formats';
import { benchHost, engines } from '../engines/open-engine.ts';
import { compactOnce, cutsAt, type Target, targetName } from './compactions.ts';
import { knownInput, type Ledger } from './ledger.ts';

/** Compresses every transcript with both engines, at every cut and to every target. */
export async function measureWire(
  transcripts: readonly NamedTranscript[],
  { shares, targets }: { readonly shares: readonly number[]; readonly targets: readonly Target[] },
  counter: TokenCounter,
  ledger: Ledger,
): Promise<void> {
  for (const { name, messages } of transcripts)
    for (const cut of cutsAt(messages, shares, counter)) {
      const past = messages.slice(0, cut);
      const input = knownInput(past, counter);
      const strictFaults = strictCheck.faultsOf(past);
      for (const [engine, open] of Object.entries(engines))
        for (const target of targets) {
          const label = `${engine}, ${name} up to message ${cut}, ${targetName(target)}`;
          await ledger.attempt(label, async () => {
            ledger.add(label, input, await compactOnce(open, past, target, counter));
            const { output, sources } = await compactOnce(open, past, target, counter, 'strict');
            ledger.judge(label, strictCheck.name, strictFaults, strictCheck.faultsOf(output), sources);
          });
        }
    }
}

/**
 * Compresses recorded Anthropic sessions in their native format: `formats` decodes and re-encodes them.
 * @param effort.every uses one of every this many sessions
 */
export async function measureNative(
  dataFolder: string | null,
  { targets, every }: { readonly targets: readonly Target[]; readonly every: number },
  counter: TokenCounter,
  ledger: Ledger,
): Promise<void> {
  const folder = dataFolder === null ? '' : join(dataFolder, 'anthropic');
  if (!existsSync(folder)) return;
  const files = readdirSync(folder).filter((one) => one.endsWith('.json') && one !== 'INDEX.json');
  for (const file of files.filter((_, index) => index % every === 0)) {
    const native = JSON.parse(readFileSync(join(folder, file), 'utf8')) as AnthropicConversation;
    const before = anthropicFaults(native);
    const tokens = Math.round(Transcript.of(anthropic.decode(native).messages, counter).totalTokens);
    for (const [engine, open] of Object.entries(engines))
      for (const target of targets) {
        const label = `${engine}, ${file}, ${targetName(target)}`;
        await ledger.attempt(label, async () => {
          const asked = target === null ? {} : { targetTokens: Math.floor(tokens * target) };
          const opened = open(benchHost(counter), Math.max(4_000, tokens));
          const { native: left } = await compressNative(opened, anthropic, native, { force: true, ...asked });
          ledger.judge(label, 'Anthropic Messages, recorded sessions round trip', before, anthropicFaults(left));
        });
      }
  }
}
