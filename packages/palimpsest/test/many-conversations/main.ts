import { runMarkedAgents } from './marked-agents.ts';

/** The same as the test, for longer: `pnpm --filter palimpsest run test:soak 30` (minutes). */
const minutes = Number(process.argv[2] ?? 30);
const from = performance.now();
const run = { window: 32_000, recall: true, rounds: [20, 120], pauseMs: 250, forMs: minutes * 60_000 } as const;
const { mixed, failures, ...figures } = await runMarkedAgents(run);
const memory = process.memoryUsage().rss / 1e6;
console.log(`${((performance.now() - from) / 60_000).toFixed(1)} minutes, ${memory.toFixed(0)} MB:`, figures);
for (const line of [...mixed, ...failures].slice(0, 20)) console.log(line);
process.exitCode = mixed.length + failures.length + figures.refused > 0 ? 1 : 0;
