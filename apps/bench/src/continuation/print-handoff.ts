import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { contentText, isSynthetic, type Message, readHandoff } from '@palimpsest/core';
import { cutsOf, probeNames, probesOf } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { measure, tokensOf } from './measure-told.ts';
import { kindOf } from './session-kind.ts';
import { compressWith, ownEngines } from './ways.ts';
import { wrongWriters } from './writers.ts';

// Prints the handoff that an engine writes for a transcript, and what the output tells of the probes:
//   npm run handoff -- session.json --engine compressor --cut 0.7 --size 0.1 --writer "forgets everything" --all
const { values, positionals } = parseArgs({
  options: {
    engine: { type: 'string', default: 'compressor' },
    cut: { type: 'string', default: '0.7' },
    size: { type: 'string' },
    writer: { type: 'string' },
    all: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [file] = positionals;
const open = ownEngines[values.engine];
if (file === undefined || open === undefined) {
  process.stderr.write(
    `Usage: npm run handoff -- <transcript.json> [--engine ${Object.keys(ownEngines).join('|')}] [--cut 0.7] [--size 0.1] [--writer "${Object.keys(wrongWriters).join('"|"')}"] [--all]\n`,
  );
  process.exit(2);
}
const { messages } = JSON.parse(readFileSync(file, 'utf8')) as { messages: Message[] };
const counter = createTokenCounter();
const name = file
  .split('/')
  .at(-1)!
  .replace(/\.json$/, '');
const print = (text: string): void => void process.stdout.write(`${text}\n`);
for (const found of cutsOf({ name, messages }, counter, [Number(values.cut)])) {
  const cut = { ...found, kind: kindOf(messages), probes: probesOf(found.past) };
  const size = values.size === undefined ? null : Number(values.size);
  const writer = values.writer === undefined ? undefined : wrongWriters[values.writer];
  const output = await compressWith(open, cut.past, size, counter, writer);
  for (const message of output) {
    const handoff = readHandoff(message);
    if (handoff) print(handoff.body);
    else if (values.all)
      print(`\n--- ${message.role}${isSynthetic(message) ? ' (inserted)' : ''}\n${contentText(message.content)}`);
  }
  const { told, facts, verbatim } = measure(cut, output);
  print(
    `\n${cut.past.length} messages, ${cut.tokens} tokens -> ${output.length} messages, ${tokensOf(output, counter)} tokens`,
  );
  for (const probe of probeNames) print(`${probe}: ${told[probe]} of ${cut.probes[probe].length} told`);
  print(`facts ${(facts * 100).toFixed(0)} %, verbatim ${(verbatim * 100).toFixed(0)} %`);
}
