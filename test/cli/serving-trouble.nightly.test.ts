import { serveDuringTrouble } from './serving-trouble.ts';

serveDuringTrouble({ isWhole: true });
