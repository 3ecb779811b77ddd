import { furtherPassLaws } from '../../../test/engine-laws/further-passes.ts';
import { makeEngine } from './make-engine.ts';

furtherPassLaws((host) => makeEngine(host, { minimumThreshold: 0 }), 600);
