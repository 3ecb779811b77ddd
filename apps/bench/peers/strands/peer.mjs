import { serve } from '../serve.mjs';
import { windowOf } from './window.mjs';

// It needs no model as long as nothing is summarized.
serve(windowOf);
