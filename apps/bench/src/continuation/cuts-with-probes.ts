import type { TokenCounter } from '@palimpsest/core';
import { cutsOf, type NamedTranscript, probeNames, probesOf, toldOf } from '@palimpsest/eval/measures';
import type { CutWithProbes } from './measure-told.ts';
import { kindOf } from './session-kind.ts';

/** Cuts transcripts and reads the probes of each cut. @param shares where to cut, as shares of the tokens */
export function cutsWithProbes(
  transcripts: readonly NamedTranscript[],
  counter: TokenCounter,
  shares: readonly number[],
): CutWithProbes[] {
  const cuts: CutWithProbes[] = [];
  for (const transcript of transcripts) {
    const found = [...cutsOf(transcript, counter, shares)];
    if (found.length === 0) continue;
    const kind = kindOf(transcript.messages);
    for (const cut of found) cuts.push({ ...cut, kind, probes: probesOf(cut.past) });
  }
  return cuts;
}

/** Returns the probes that not even the original tells: mistakes of the bench. */
export function brokenProbes(cuts: readonly CutWithProbes[]): string[] {
  return cuts.flatMap(({ name, past, probes }) => {
    const told = toldOf(probes, past);
    return probeNames
      .filter((probe) => told[probe] < probes[probe].length)
      .map((probe) => `the original of ${name} tells only ${told[probe]} of ${probes[probe].length} ${probe}`);
  });
}
