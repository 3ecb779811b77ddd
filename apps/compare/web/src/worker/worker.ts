import './without-eval.ts';
import { expose } from 'comlink';
import { createReader } from './reader.ts';
import { createRunner } from './runner.ts';

/** One program for every worker: its name says what it is for, `reader` or the engine it runs. */
expose(self.name === 'reader' ? createReader() : createRunner(self.name));
