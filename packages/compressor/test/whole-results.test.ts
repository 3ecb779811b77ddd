import { wholeResultLaws } from '../../../test/engine-laws/whole-results.ts';
import { makeEngine } from './make-engine.ts';

wholeResultLaws((host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0 }));
