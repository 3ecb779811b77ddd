import { createTokenCounter } from '@palimpsest/tokens';
import { type BenchOptions, bullets, count, type Measured, type Section } from '../section.ts';
import { atLeast, atMost, failing, inPercent, type Target } from '../target.ts';
import { readTranscripts, transcriptSource } from '../transcripts.ts';
import { targets } from '../validity/compactions.ts';
import { Ledger } from '../validity/ledger.ts';
import { measureNative, measureWire } from '../validity/measure-wire.ts';

/** Counts what must never happen: prompts that a provider would reject, and changed requests. */
export const validity: Section = {
  name: 'validity',
  title: 'Validity',
  isUntimed: true,
  async measure({ quick, dataFolder }: BenchOptions): Promise<Measured> {
    const counter = createTokenCounter();
    const ledger = new Ledger();
    const transcripts = readTranscripts(dataFolder);
    const every = quick ? Math.ceil(transcripts.length / 5) : 1;
    const some = transcripts.filter((_, index) => index % every === 0);
    const few = [null, 0.2];
    const wire = quick ? { shares: [0.66], targets: few } : { shares: [0.33, 0.66, 1], targets };
    await measureWire(some, wire, counter, ledger);
    await measureNative(dataFolder, { targets: quick ? [0.2] : few, every }, counter, ledger);
    const { outputs, withRequest, requestKept, refused, violations, examples } = ledger;
    return {
      report: [
        examples.length === 0 ? 'No violations; every current request is kept word for word.' : bullets(examples),
        `${count(outputs)} compressions of ${some.length} of ${transcriptSource(dataFolder)}, cut at several places, with both engines, with and without a target. An output is broken if it has a fault that its input did not have on the same messages.`,
        {
          head: ['validated as', 'outputs of valid inputs', 'broken', 'outputs of faulty inputs', 'with new faults'],
          rows: [...ledger.wire].map(([name, { clean, cleanBroken, flawed, flawedBroken }]) => [
            name,
            count(clean),
            String(cleanBroken),
            ...(flawed > 0 ? [count(flawed), String(flawedBroken)] : ['', '']),
          ]),
        },
        `${count(requestKept)} of ${count(withRequest)} outputs contain the current request word for word. Compressions that failed with an error: ${refused}.`,
      ],
      figures: {
        wire: Object.fromEntries(ledger.wire),
        outputs,
        violations,
        refused,
        withRequest,
        requestKept,
      },
      targets: targetsOf(ledger),
    };
  },
};

const targetsOf = ({ outputs, violations, requestKept, withRequest }: Ledger): Target[] => [
  failing(atLeast('validity', 'compressions', 1, outputs)),
  failing(atMost('validity', 'outputs with new faults, and failed compressions', 0, violations)),
  failing(atLeast('validity', 'current request kept word for word', 1, requestKept / withRequest, inPercent)),
];
