import { furtherPassLaws } from '../../../test/engine-laws/further-passes.ts';
import { makeEngine } from './make-engine.ts';

furtherPassLaws((host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0 }), 750);
