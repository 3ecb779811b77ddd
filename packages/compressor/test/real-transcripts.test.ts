import { realTranscriptLaws } from '../../../test/engine-laws/real-transcripts.ts';
import { makeEngine } from './make-engine.ts';

realTranscriptLaws((host) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0 }));
