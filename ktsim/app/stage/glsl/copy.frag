#version 150
uniform sampler2D picture;
in vec2 uv;
out vec4 result;
void main() { result = vec4(texture(picture, uv).rgb, 1); }
