import { installMissing } from './install.ts';
import { peers } from './peer-list.ts';

process.exitCode = (await installMissing(peers.map(({ folder }) => folder))) ? 0 : 1;
