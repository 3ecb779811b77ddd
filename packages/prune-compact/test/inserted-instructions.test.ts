import { insertedInstructionLaws } from '../../../test/engine-laws/inserted-instructions.ts';
import { makeEngine } from './make-engine.ts';

insertedInstructionLaws((host) => makeEngine(host, {}));
