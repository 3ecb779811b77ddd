import { installMissing } from './install.ts';
import { allPeers } from './peer-list.ts';

process.exitCode = (await installMissing(allPeers.map(({ folder }) => folder))) ? 0 : 1;
