import { checkpointLaws } from '../../../test/engine-laws/checkpoints.ts';
import { makeEngine } from './make-engine.ts';

checkpointLaws((host) => makeEngine(host, { protectTokens: 200, minimumTokens: 50 }));
