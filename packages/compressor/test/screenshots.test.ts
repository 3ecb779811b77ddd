import { screenshotLaws } from '../../../test/engine-laws/screenshot-agent.ts';
import { makeEngine } from './make-engine.ts';

screenshotLaws((host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0 }));
