import './without-eval.ts';
import { expose } from 'comlink';
import { createReader } from './reader.ts';
import { createRunner } from './runner.ts';

/** Entry point of all workers. The worker's name is `reader` or the name of the engine it runs. */
expose(self.name === 'reader' ? createReader() : createRunner(self.name));
