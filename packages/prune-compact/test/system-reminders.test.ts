import { reminderLaws } from '../../../test/engine-laws/system-reminders.ts';
import { makeEngine } from './make-engine.ts';

reminderLaws((host) => makeEngine(host, {}));
