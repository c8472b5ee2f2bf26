import { testLanguage } from './test-language.js';

testLanguage('TypeScript');
