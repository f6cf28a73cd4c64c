import { pressTab } from './completion-shells.ts';

pressTab({ isWhole: false });
