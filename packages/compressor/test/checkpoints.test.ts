import { checkpointLaws } from '../../../test/engine-laws/checkpoints.ts';
import { makeEngine } from './make-engine.ts';

checkpointLaws((host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0, protectLast: 3 }));
