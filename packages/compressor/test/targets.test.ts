import { targetLaws } from '../../../test/engine-laws/targets.ts';
import { makeEngine } from './make-engine.ts';

targetLaws((host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0 }));
