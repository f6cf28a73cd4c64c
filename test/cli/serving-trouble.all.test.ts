import { serveDuringTrouble } from './serving-trouble.ts';

serveDuringTrouble({ isWhole: false });
