import { expose } from 'comlink';
import { createPageWorker } from './page-worker.ts';

expose(createPageWorker());
