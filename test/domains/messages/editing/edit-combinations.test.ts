import { testCombinations } from './edit-combinations.ts';

testCombinations({ isWhole: false });
