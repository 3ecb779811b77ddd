import { requestLaws } from '../../../test/engine-laws/current-task.ts';
import { makeEngine } from './make-engine.ts';

requestLaws((host) => makeEngine(host, { protectTokens: 2_000, minimumTokens: 500 }), 0);
