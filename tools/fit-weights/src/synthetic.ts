// Generates, deterministically, text of kinds that are rare in files: blobs, logs, tables, emoji.

/** A document of the corpus. */
export interface SyntheticDocument {
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

/** Creates a generator (mulberry32) of uniform numbers in [0, 1). The same seed gives the same corpus. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const words = (
  'request response server client worker session user cache token queue retry timeout connection closed opened error warning ' +
  'failed started finished payload database query index build module file path config service handler event message update delete create ' +
  'metrics latency shard replica leader follower snapshot commit rollback migration schema table row column key value'
).split(' ');
const levels = ['INFO', 'WARN', 'ERROR', 'DEBUG', 'TRACE', 'info', 'warn', 'error'];
const emoji = [
  ...'😀😂🤣😊😍🤔👍🙏🔥✨🎉🚀💡✅❌⚠️📦🐛🔧📝💻🧪🌍🍕🐍🦀🎯📈📉🔒🔑⏱️🛠️👩‍💻👨‍👩‍👧‍👦🏳️‍🌈🇩🇪🇯🇵❤️💔👋🏽🤷‍♂️🧠🌟⭐️📊🗂️🧵🥳😅😭',
];

/** Generates all documents. */
export function* syntheticDocuments(): Generator<SyntheticDocument> {
  const next = random(20240607);
  const whole = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => list[whole(list.length)]!;
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => whole(256)));
  const hex = (length: number): string =>
    bytes(Math.ceil(length / 2))
      .toString('hex')
      .slice(0, length);
  const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');
  const stamp = (): string => new Date(1.6e12 + whole(2e11)).toISOString();
  const lines = (count: number, line: () => string): string => Array.from({ length: count }, line).join('\n');
  const phrase = (): string => Array.from({ length: 2 + whole(8) }, () => pick(words)).join(' ');
  const address = (): string => `${whole(256)}.${whole(256)}.${whole(256)}.${whole(256)}`;

  for (let index = 0; index < 40; index++) {
    yield { kind: 'base64', name: 'flat', text: bytes(9000).toString('base64') };
    yield { kind: 'base64', name: 'wrapped', text: bytes(9000).toString('base64').replace(/.{76}/g, '$&\n') };
    yield { kind: 'base64', name: 'url', text: lines(60, () => bytes(30 + whole(200)).toString('base64url')) };
    yield {
      kind: 'base64',
      name: 'keys',
      text: lines(80, () => `${pick(words).toUpperCase()}_KEY=${bytes(24 + whole(40)).toString('base64')}`),
    };
    yield { kind: 'hex', name: 'flat', text: hex(12_000) };
    yield { kind: 'hex', name: 'upper', text: hex(12_000).toUpperCase() };
    yield {
      kind: 'hex',
      name: 'hashes',
      text: lines(
        150,
        () => `${hex(pick([32, 40, 64]))}  ${pick(words)}/${pick(words)}.${pick(['ts', 'js', 'py', 'c'])}`,
      ),
    };
    yield { kind: 'hex', name: 'uuid', text: lines(200, uuid) };
    yield {
      kind: 'hex',
      name: 'dump',
      text: lines(
        150,
        () =>
          `${hex(8)}  ${hex(16).replace(/../g, '$& ')} ${hex(16).replace(/../g, '$& ')} |${bytes(16)
            .toString('latin1')
            .replace(/[^\x20-\x7e]/g, '.')}|`,
      ),
    };
    yield {
      kind: 'log',
      name: 'iso',
      text: lines(
        120,
        () =>
          `${stamp()} [${pick(levels)}] ${pick(words)}.${pick(words)}: ${phrase()} id=${uuid()} took=${whole(9000)}ms`,
      ),
    };
    yield {
      kind: 'log',
      name: 'access',
      text: lines(
        120,
        () =>
          `${address()} - - [${whole(28) + 1}/Oct/2024:${whole(24)}:${whole(60)}:${whole(60)} +0000] "${pick(['GET', 'POST', 'PUT'])} /${pick(words)}/${whole(99999)}?${pick(words)}=${whole(100)} HTTP/1.1" ${pick([200, 201, 304, 404, 500])} ${whole(100_000)} "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"`,
      ),
    };
    yield {
      kind: 'log',
      name: 'syslog',
      text: lines(
        120,
        () =>
          `Oct ${whole(28) + 1} ${String(whole(24)).padStart(2, '0')}:${whole(60)}:${whole(60)} host-${whole(50)} ${pick(words)}[${whole(99999)}]: ${phrase()}`,
      ),
    };
    yield {
      kind: 'log',
      name: 'json',
      text: lines(80, () =>
        JSON.stringify({
          ts: 1.6e12 + whole(2e11),
          level: pick(levels),
          msg: phrase(),
          pid: whole(99999),
          reqId: uuid(),
          ms: next() * 100,
        }),
      ),
    };
    yield {
      kind: 'log',
      name: 'klog',
      text: lines(
        100,
        () =>
          `${pick(['I', 'W', 'E'])}${whole(10)}${whole(10)}${whole(10)}${whole(10)} ${whole(24)}:${whole(60)}:${whole(60)}.${whole(1e6)} ${whole(99999)} ${pick(words)}.go:${whole(900)}] "${phrase()}" ${pick(words)}="${pick(words)}-${hex(10)}"`,
      ),
    };
    yield {
      kind: 'log',
      name: 'tests',
      text: lines(
        100,
        () =>
          `tests/test_${pick(words)}.py::Test${pick(words).replace(/^./, (c) => c.toUpperCase())}::test_${pick(words)}_${pick(words)} ${pick(['PASSED', 'FAILED', 'SKIPPED'])} [${String(whole(100)).padStart(3)}%]`,
      ),
    };
    yield {
      kind: 'log',
      name: 'trace',
      text: lines(80, () =>
        pick([
          `  File "/usr/lib/python3/${pick(words)}/${pick(words)}.py", line ${whole(900)}, in ${pick(words)}_${pick(words)}`,
          `    at ${pick(words)}${pick(words).replace(/^./, (c) => c.toUpperCase())} (/app/src/${pick(words)}/${pick(words)}.ts:${whole(400)}:${whole(80)})`,
          `    return self.${pick(words)}(${pick(words)}, ${pick(words)}=${whole(100)})`,
        ]),
      ),
    };
    yield {
      kind: 'table',
      name: 'csv',
      text: lines(150, () =>
        [
          whole(1e6),
          stamp().slice(0, 10),
          pick(words),
          (next() * 1000).toFixed(2),
          pick(words),
          next().toFixed(6),
        ].join(','),
      ),
    };
    yield {
      kind: 'table',
      name: 'markdown',
      text: lines(100, () => `| ${pick(words)} | ${phrase()} | ${whole(1e5)} | ${(next() * 100).toFixed(1)} % |`),
    };
    yield {
      kind: 'table',
      name: 'numbers',
      text: lines(150, () =>
        Array.from({ length: 8 }, () => (next() * 10 ** whole(6)).toFixed(whole(5))).join(pick([' ', '\t', ', '])),
      ),
    };
    yield {
      kind: 'json',
      name: 'records',
      text: JSON.stringify(
        Array.from({ length: 60 }, () => ({
          id: whole(1e9),
          uuid: uuid(),
          name: phrase(),
          tags: [pick(words), pick(words)],
          score: next(),
          active: next() > 0.5,
          at: stamp(),
          parent: null,
        })),
        null,
        index % 2 ? 2 : 0,
      ),
    };
    yield {
      kind: 'json',
      name: 'escaped',
      text: JSON.stringify(
        JSON.stringify(
          Array.from({ length: 60 }, () => ({
            path: `/${pick(words)}/${pick(words)}.ts`,
            [pick(words)]: { [pick(words)]: `"${phrase()}"\n` },
          })),
        ),
      ),
    };
    yield { kind: 'emoji', name: 'alone', text: Array.from({ length: 2500 }, () => pick(emoji)).join('') };
    yield { kind: 'emoji', name: 'spaced', text: Array.from({ length: 2500 }, () => pick(emoji)).join(' ') };
    yield {
      kind: 'emoji',
      name: 'chat',
      text: lines(200, () => `${phrase()} ${pick(emoji)}${next() > 0.5 ? pick(emoji) : ''}`),
    };
    yield {
      kind: 'boxes',
      name: 'tree',
      text: lines(
        150,
        () =>
          `${'│   '.repeat(whole(4))}${pick(['├── ', '└── '])}${pick(words)}${pick(['.ts', '.json', '/', '.test.ts'])}`,
      ),
    };
    yield {
      kind: 'boxes',
      name: 'frame',
      text: lines(
        40,
        () =>
          `┌${'─'.repeat(40)}┐\n│ ${phrase().slice(0, 38).padEnd(38)} │\n└${'─'.repeat(40)}┘ ${pick(['→', '✓', '✗', '•', '…', '“x”', '—'])}`,
      ),
    };
  }
}
