import { keepsHostileMaterialQuoted } from '../../../test/engine-laws/hostile-material.ts';
import { makeEngine } from './make-engine.ts';

for (const template of ['handoff', 'compaction', 'resumption'] as const)
  keepsHostileMaterialQuoted(template, (host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0, template }));
