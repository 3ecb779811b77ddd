// Packs what users install, for the checks that follow.
import { packAll } from './pack.mjs';

await packAll();
