import { Transcript } from '@palimpsest/core';
import { plan } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { longTranscript } from './src/pruning/long-transcript.ts';
const n = Number(process.argv[2]);
const out:number[]=[];const warm:number[]=[];
for(let r=0;r<8;r++){ const t=Transcript.of(JSON.parse(JSON.stringify(longTranscript(n))), createTokenCounter()); t.totalTokens;
 let a=process.cpuUsage();let w=performance.now();plan(t);let b=process.cpuUsage(a);out.push(performance.now()-w);
 for(let i=0;i<3;i++){w=performance.now();plan(t);warm.push(performance.now()-w);} }
console.log(n,'cold',out.map(x=>x.toFixed(0)).join(' '),'warm min',Math.min(...warm).toFixed(1));
