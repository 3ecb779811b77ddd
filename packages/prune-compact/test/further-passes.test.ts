import { furtherPassLaws } from '../../../test/engine-laws/further-passes.ts';
import { makeEngine } from './make-engine.ts';

furtherPassLaws((host) => makeEngine(host, { protectTokens: 500, minimumTokens: 100 }), 850);
