// Throwaway: prints the handoff. node args: file share engine [cutShare]
import { readFileSync } from 'node:fs';
import { createTokenCounter } from '@palimpsest/tokens';
import { readAnyHandoff, contentText } from '@palimpsest/core';
import { agentReader } from '@palimpsest/agents';
import { engines, benchHost } from './src/engines/open-engine.ts';
const [file, share = '0', name = 'compressor', cut = '1'] = process.argv.slice(2);
const all = JSON.parse(readFileSync(file!, 'utf8')).messages;
const messages = all.slice(0, Math.floor(all.length * Number(cut)));
const counter = createTokenCounter();
const total = messages.reduce((s: number, m: any) => s + counter.countMessage(m), 0);
const window = Math.max(16000, Math.floor(total));
const engine = engines[name as 'compressor'](benchHost(counter), Number(share) > 0 ? 200_000 : window);
const t = performance.now();
const result = await engine.compress(messages, { force: true, ...(Number(share) > 0 ? { targetTokens: Math.floor(total * Number(share)) } : {}) });
const ms = performance.now() - t;
const after = result.messages.reduce((s: number, m: any) => s + counter.countMessage(m), 0);
for (const m of result.messages) { const h = readAnyHandoff(m as any, agentReader); if (h) console.log(h.body); }
console.error(`${messages.length} -> ${result.messages.length} messages; ${Math.round(total)} -> ${Math.round(after)} tokens; ${result.outcome} ${Math.round(ms)} ms; users ${messages.filter((m: any) => m.role === 'user').length}`);
